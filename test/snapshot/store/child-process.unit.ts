/** The start of child processes: whatever the system says, it is an event and no exception. */
import { once } from 'node:events';
import { fork, spawn, type ChildProcess } from 'node:child_process';
import t from 'tap';
import { failedStarts, startChild } from '../../../src/snapshot/store/child-process.js';

/** Longer than one variable of an environment may be: Node throws what the system says of it. */
const TOO_LONG = { LONG: 'x'.repeat(200_000) };

void t.test('a child that cannot be started has an error, whoever throws it', async (t) => {
  const starts: readonly (readonly [string, () => ChildProcess])[] = [
    ['ENOENT', () => spawn('/nowhere/program')],
    ['ENOENT', () => fork('/nowhere/script.js', { execPath: '/nowhere/node' })],
    ['EACCES', () => spawn('/etc/passwd')],
    ['E2BIG', () => fork('/nowhere/script.js', { env: TOO_LONG })],
  ];
  for (const [code, start] of starts) {
    const before = failedStarts.import;
    const child = startChild('import', start);
    t.equal(child.pid, undefined);
    t.equal(child.kill('SIGKILL'), false, 'nobody is killed');
    t.equal(
      child.send({}, () => undefined),
      false,
      'nothing is sent',
    );
    const [error] = (await once(child, 'error')) as [NodeJS.ErrnoException];
    t.equal(error.code, code);
    t.equal(failedStarts.import, before + 1, 'it is counted');
  }
  const before = { ...failedStarts };
  const child = startChild(undefined, () => spawn('true', { stdio: 'ignore' }));
  t.same(await once(child, 'exit'), [0, null]);
  await once(
    startChild(undefined, () => spawn('/nowhere/program')),
    'error',
  );
  t.same(failedStarts, before);
});
