/** Fronts of a killed supervisor, as they are written down: none but they are ever killed. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { FRONT_SCRIPT, LeftoverFronts } from '../../src/supervisor/leftover-fronts.js';
import { waitUntilGone } from '../support/service/children.js';
import { eventually } from '../support/service/service.js';

type Records = readonly Readonly<Record<string, unknown>>[];

void t.test('kills the process that was written down, and no other one', async (t) => {
  const directory = t.testdir();
  const path = join(directory, '~fronts.json');
  // It runs nothing, but its command line is that of a front.
  const words = ['-e', 'setInterval(() => undefined, 1000)', fileURLToPath(FRONT_SCRIPT)];
  const child = spawn(process.execPath, words, { stdio: 'ignore' });
  t.teardown(() => child.kill('SIGKILL'));
  await once(child, 'spawn');
  const pid = child.pid ?? 0;
  const unexpected = (one: number): void => {
    t.fail(`killed ${one}`);
  };
  new LeftoverFronts(directory, unexpected).record([pid]);
  const records = JSON.parse(await readFile(path, 'utf8')) as Records;
  t.match(records, [{ pid }]);

  const strangers: readonly unknown[] = [
    ...['startTicks', 'boot', 'script'].map((name) => [{ ...records[0], [name]: 'other' }]),
    [{ ...records[0], pid: 'x' }],
    [{ pid }],
    [null],
    {},
  ];
  for (const text of [...strangers.map((value) => JSON.stringify(value)), '[', '']) {
    await writeFile(path, text);
    const leftovers = new LeftoverFronts(directory, unexpected);
    t.notOk(leftovers.areThere(), text);
    await leftovers.kill();
  }

  await writeFile(path, JSON.stringify(records));
  const killed: number[] = [];
  const leftovers = new LeftoverFronts(directory, (one) => killed.push(one));
  t.ok(leftovers.areThere());
  await leftovers.killStopped();
  t.same(killed, [], 'one that runs ends by itself');
  child.kill('SIGSTOP');
  await eventually('it is stopped', async () =>
    / T /.test(await readFile(`/proc/${pid}/stat`, 'utf8')),
  );
  await leftovers.killStopped();
  t.same(killed, [pid]);
  await waitUntilGone([pid]);
  t.notOk(leftovers.areThere());
});
