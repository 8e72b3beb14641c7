/** The start of child processes: whatever the system says, it is an event and no exception. */
import { fork, spawn, type ChildProcess } from 'node:child_process';
import t from 'tap';
import { describeEnd, failedStarts, startChild } from '../../src/supervisor/child-process.js';

/** Longer than a variable of an environment may be: Node throws the system's error. */
const TOO_LONG = { LONG: 'x'.repeat(200_000) };

void t.test('a child that cannot be started says so at its end, whoever throws it', async (t) => {
  const starts: readonly (readonly [string, () => ChildProcess])[] = [
    ['ENOENT', () => spawn('/nowhere/program')],
    ['ENOENT', () => fork('/nowhere/script.js', { execPath: '/nowhere/node' })],
    ['EACCES', () => spawn('/etc/passwd')],
    ['E2BIG', () => fork('/nowhere/script.js', { env: TOO_LONG })],
  ];
  for (const [code, start] of starts) {
    const before = failedStarts.import;
    const { process: child, ended } = startChild('import', start);
    t.equal(child.pid, undefined);
    t.equal(child.kill('SIGKILL'), false, 'nobody is killed');
    const isSent = child.send({}, () => undefined);
    t.equal(isSent, false, 'nothing is sent');
    t.match(describeEnd(await ended), `it cannot be started (spawn`);
    t.match((await ended).failure, code);
    t.equal(failedStarts.import, before + 1, 'it is counted');
  }
  const before = { ...failedStarts };
  const start = (program: string) => startChild(undefined, () => spawn(program));
  t.same(await start('true').ended, { code: 0, signal: null });
  t.match((await start('/nowhere/program').ended).failure, 'ENOENT');
  t.same(failedStarts, before);
});
