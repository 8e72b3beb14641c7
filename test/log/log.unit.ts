/** A log line is one JSON object on one line, whatever a client sends. */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import t from 'tap';
import { spawnPlain } from '../support/service/plain-node.js';
import { inTime } from '../support/service/service.js';

const [LOG, OUTPUT] = ['log', 'line-output'].map((name) =>
  JSON.stringify(pathToFileURL(resolve(`build/src/log/${name}.js`)).href),
);

void t.test('every value is cut and kept on its line', async (t) => {
  const values = fc.sample(fc.record({ target: fc.string({ maxLength: 500, unit: 'binary' }) }), {
    numRuns: 200,
    seed: 1,
  });
  const script = `
    const { createLog } = await import(${LOG});
    const { LineOutput } = await import(${OUTPUT});
    const log = createLog({ level: 'info', part: 'front', output: new LineOutput() });
    let input = '';
    for await (const chunk of process.stdin) input += chunk;
    for (const values of JSON.parse(input)) log.warn(values, 'said');
    log.debug('not heard');
    log.info({ nested: { secret: 1 }, list: [1], number: 1, none: null, flag: true }, 'kinds');`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    input: JSON.stringify(values),
    encoding: 'utf8',
  });
  const lines = stdout.trimEnd().split('\n');
  t.equal(lines.length, values.length + 1);
  for (const [index, { target }] of values.entries()) {
    const line: unknown = JSON.parse(lines[index] ?? '');
    const shown = target.length > 200 ? `${target.slice(0, 199)}…` : target;
    t.match(line, { level: 'warn', part: 'front', msg: 'said', time: /Z$/ });
    t.ok(isAbout(line, shown), 'as sent, up to 200');
  }
  const kinds: unknown = JSON.parse(lines.at(-1) ?? '');
  t.match(kinds, { number: 1, none: null, flag: true, msg: 'kinds' });
  t.notMatch(kinds, { nested: {} });
  t.notMatch(kinds, { list: [] });
});

void t.test('a stdout that takes nothing keeps no process, and costs little memory', async (t) => {
  // A look at `process.stdout` opens a pipe not to block, for all processes that have it.
  for (const [first, end] of [
    ['process.stdout;', [0, null]],
    ['', [null, 'SIGTERM']],
  ] as const) {
    const script = `
      ${first}
      const { LineOutput } = await import(${OUTPUT});
      let dropped = 0;
      const output = new LineOutput(1, () => (dropped += 1));
      const line = 'x'.repeat(999) + '\\n';
      for (let time = 0; time < 3000; time += 1) output.write(line);
      process.stderr.write(String(dropped) + ' ');
      await output.end();`;
    const child = spawnPlain([process.execPath, '--input-type=module', '-e', script], {});
    t.teardown(() => child.kill('SIGKILL'));
    let said = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (said += text));
    t.same(await inTime(once(child, 'exit'), 'the end'), end);
    t.ok(Number(said) > 1900 && Number(said) < 3000, `${said} lines of 3,000 kB are dropped`);
  }
});

function isAbout(line: unknown, target: string): boolean {
  // A lone surrogate is no UTF-8: it comes out as U+FFFD.
  const shown = Buffer.from(target).toString();
  return typeof line === 'object' && line !== null && 'target' in line && line.target === shown;
}
