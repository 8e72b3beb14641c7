/** `deploy/publish/`: the script runs as cron runs it, with hardly an environment. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import t from 'tap';
import { COMMAND, runBura } from '../../support/service/command.js';
import { verifiedActiveId } from '../../support/service/published.js';
import { eventually } from '../../support/service/service.js';
import { ran } from '../support/programs.js';

const SCRIPT = resolve('deploy/publish/publish.sh');

/** Tables of one row, settings in a file, and the command in a folder of programs. */
const folder = t.testdir({ programs: {}, temporary: {} });
const [tables, temporary] = [join(folder, 'tables'), join(folder, 'temporary')];
await cp('test/fixtures/one-row-tables', tables, { recursive: true });
const settings = join(folder, 'bura.env');
const store = `file:${folder}/a store`;
const namespace = join(folder, 'a store', 'net');
const lines = ['# settings', '', `SNAPSHOT_STORE="${store}"`, 'KEY_PREFIX=net', 'PORT=0'];
await writeFile(settings, lines.join('\n'));
const command = `#!/bin/sh\nexec '${process.execPath}' '${COMMAND}' "$@"\n`;
await writeFile(join(folder, 'programs/bura'), command, { mode: 0o755 });

/** Runs the script, with these variables above the line in the crontab, and these flags in it. */
const publish = (variables: Readonly<Record<string, string>> = {}, flags = '') => {
  const PATH = `${join(folder, 'programs')}:/usr/bin:/bin`;
  const user = { HOME: folder, LOGNAME: 'bura', SHELL: '/bin/sh', PATH };
  const env = { ...user, TMPDIR: temporary, BURA_ENV: settings, ...variables };
  return ran(['/bin/sh', '-c', `'${SCRIPT}' '${tables}' ${flags}`], env, folder);
};

async function writeRow(value: string): Promise<void> {
  const head = 'station_id,component_id,date,time,value\n';
  await writeFile(join(tables, 'measurements.csv'), `${head}7,1,2026-09-09,22:00,${value}\n`);
}

await t.test('publishes what is new, keeps as many as it is told, and cleans up', async (t) => {
  const ids = new Set<string | undefined>();
  for (const text of ['20.5 12', '20.5 12', '21.5 12', '22.5 13']) {
    const [value = '', day] = text.split(' ');
    await writeRow(value);
    const more = { KEEP: '2', PUBLISH_FLAGS: '--archive' };
    const { code, stderr } = await publish(more, `--generated-at 2026-09-${day}T00:00:00Z`);
    t.same([code, stderr], [0, '']);
    ids.add(await verifiedActiveId(namespace));
  }
  t.equal(ids.size, 3, 'the same tables are the same snapshot');
  t.match(await readFile(join(namespace, 'archive/index.json'), 'utf8'), /2026-09-13T/);
  const active = (await verifiedActiveId(namespace)) ?? '';
  t.match(active, /^20260913T000000Z-/, 'by the flags given');
  const env = { SNAPSHOT_STORE: store, KEY_PREFIX: 'net' };
  const { stdout } = await runBura(['list'], { env });
  t.equal(stdout.trimEnd().split('\n').length, 2);
  t.match(stdout, active);
  t.same(await readdir(temporary), []);
});

await t.test('a failure is one line and an exit code, and changes nothing', async (t) => {
  const active = await verifiedActiveId(namespace);
  await writeRow('much');
  const wrong = /^bura: [^\n]*measurements\.csv[^\n]*\n$/;
  t.match(await publish(), { code: 1, stderr: wrong });
  t.same(await readdir(temporary), []);
  await writeRow('23.5');
  for (const [variables, stderr] of [
    [{ BURA_ENV: join(folder, 'none') }, /^publish\.sh: cannot read the settings in .*none/],
    [{ KEEP: '0' }, /^publish\.sh: KEEP is 0/],
    [{ KEY_PREFIX: '../x' }, /^bura: KEY_PREFIX is/],
  ] as const) {
    t.match(await publish(variables), { code: 2, stderr });
  }
  t.match(await publish({ BURA: 'no-such-command' }), { code: 1, stderr: /no-such-command/ });
  t.equal(await verifiedActiveId(namespace), active);
});

await t.test('a second run does not wait for the first', async (t) => {
  const holder = spawn('flock', ['--no-fork', settings, 'sleep', '600']);
  await eventually('the lock is held', async () => {
    return (await ran(['flock', '--nonblock', settings, 'true'])).code !== 0;
  });
  t.match(await publish(), { code: 75, stderr: /^publish\.sh: another run is not done yet\n$/ });
  holder.kill();
  await once(holder, 'exit');
  t.equal((await publish()).code, 0);
  t.match(await ran(['shellcheck', SCRIPT]), { code: 0 });
});
