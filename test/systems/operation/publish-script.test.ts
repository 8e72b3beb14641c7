/** `deploy/publish/`: the script runs as cron runs it, with hardly an environment. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, readdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import t, { type Test } from 'tap';
import { COMMAND, runBura } from '../../support/service/command.js';
import { spawnPlain } from '../../support/service/plain-node.js';
import { verifiedActiveId } from '../../support/service/published.js';
import { eventually } from '../../support/service/service.js';

const execute = promisify(execFile);
const SCRIPT = resolve('deploy/publish/publish.sh');

const TABLES = {
  'components.csv': 'component_id,short_name,unit\n1,PM10,ug.m-3\n',
  'stations.csv':
    'station_id,station_name,station_code,organization_id,network_id\n7,Niš,RS0007A,1,1\n',
  'organizations.csv': 'organization_id,name,short_name\n1,Agencija,SEPA\n',
  'networks.csv': 'network_id,network_code,name,short_name\n1,DM,Državna mreža,DM\n',
};

interface Place {
  readonly folder: string;
  readonly tables: string;
  /** Namespace of the store. */
  readonly namespace: string;
  /** Runs the script, with these variables above the line in the crontab, and these flags in it. */
  run(variables?: Readonly<Record<string, string>>, flags?: string): Promise<Ran>;
}

interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Tables of one row, settings in a file, and the command in a folder of programs. */
async function prepare(t: Test): Promise<Place> {
  const folder = t.testdir({ tables: TABLES, programs: {}, temporary: {} });
  const tables = join(folder, 'tables');
  await writeRow(tables, '20.5');
  const bura = join(folder, 'programs', 'bura');
  await writeFile(bura, `#!/bin/sh\nexec '${process.execPath}' '${COMMAND}' "$@"\n`);
  await chmod(bura, 0o755);
  const settings = join(folder, 'bura.env');
  const lines = [
    '# settings',
    '',
    `SNAPSHOT_STORE="file:${folder}/a store"`,
    'KEY_PREFIX=net',
    'PORT=0',
  ];
  await writeFile(settings, lines.join('\n'));
  return {
    folder,
    tables,
    namespace: join(folder, 'a store', 'net'),
    run: async (variables = {}, flags = '') => {
      const environment = {
        HOME: folder,
        LOGNAME: 'bura',
        SHELL: '/bin/sh',
        PATH: `${join(folder, 'programs')}:/usr/bin:/bin`,
        TMPDIR: join(folder, 'temporary'),
        BURA_ENV: settings,
        ...variables,
      };
      const child = spawnPlain(['/bin/sh', '-c', `'${SCRIPT}' '${tables}' ${flags}`], environment, {
        stdio: ['ignore', 'pipe', 'pipe'],
        cwd: folder,
      });
      const { stdout, stderr } = child;
      if (stdout === null || stderr === null) throw new Error('it has no output');
      const ended = once(child, 'exit');
      const [out, err] = await Promise.all([text(stdout), text(stderr), ended]);
      return { code: child.exitCode, stdout: out, stderr: err };
    },
  };
}

async function writeRow(tables: string, value: string): Promise<void> {
  const head = 'station_id,component_id,date,time,value\n';
  await writeFile(join(tables, 'measurements.csv'), `${head}7,1,2026-09-09,22:00,${value}\n`);
}

async function storedIds({ folder }: Place): Promise<readonly string[]> {
  const env = { SNAPSHOT_STORE: `file:${folder}/a store`, KEY_PREFIX: 'net' };
  const { stdout } = await runBura(['list'], { env });
  return stdout.split('\n').flatMap((line) => line.split('\t')[0] || []);
}

void t.test('publishes what is new, keeps as many as it is told, and cleans up', async (t) => {
  const place = await prepare(t);
  const ids = new Set<string | undefined>();
  for (const [value, day] of [
    ['20.5', '12'],
    ['20.5', '12'],
    ['21.5', '12'],
    ['22.5', '13'],
  ] as const) {
    await writeRow(place.tables, value);
    const { code, stderr } = await place.run(
      { KEEP: '2', PUBLISH_FLAGS: '--archive' },
      `--generated-at 2026-09-${day}T00:00:00Z`,
    );
    t.same([code, stderr], [0, '']);
    ids.add(await verifiedActiveId(place.namespace));
  }
  t.equal(ids.size, 3, 'the same tables are the same snapshot');
  t.match(await readFile(join(place.namespace, 'archive/index.json'), 'utf8'), /2026-09-13T/);
  t.match(await verifiedActiveId(place.namespace), /^20260913T000000Z-/, 'by the flags given');
  const stored = await storedIds(place);
  t.equal(stored.length, 2);
  t.ok(stored.includes((await verifiedActiveId(place.namespace)) ?? ''));
  t.same(await readdir(join(place.folder, 'temporary')), []);
});

void t.test('a failure is one line and an exit code, and changes nothing', async (t) => {
  const place = await prepare(t);
  t.equal((await place.run()).code, 0);
  const active = await verifiedActiveId(place.namespace);
  await writeRow(place.tables, 'much');
  const wrong = await place.run();
  t.equal(wrong.code, 1);
  t.match(wrong.stderr, /^bura: [^\n]*measurements\.csv[^\n]*\n$/);
  t.equal(await verifiedActiveId(place.namespace), active);
  t.same(await readdir(join(place.folder, 'temporary')), []);
  await writeRow(place.tables, '23.5');

  const cases: readonly (readonly [Readonly<Record<string, string>>, RegExp])[] = [
    [{ BURA_ENV: join(place.folder, 'none') }, /^publish\.sh: cannot read the settings in .*none/],
    [{ KEEP: '0' }, /^publish\.sh: KEEP is 0/],
    [{ KEY_PREFIX: '../x' }, /^bura: KEY_PREFIX is/],
  ];
  for (const [variables, expected] of cases) {
    const { code, stderr } = await place.run(variables);
    t.equal(code, 2, stderr);
    t.match(stderr, expected);
  }
  t.match(await place.run({ BURA: 'no-such-command' }), { code: 1, stderr: /no-such-command/ });
  t.equal(await verifiedActiveId(place.namespace), active);
});

void t.test('a second run does not wait for the first', async (t) => {
  const place = await prepare(t);
  const settings = join(place.folder, 'bura.env');
  const holder = spawn('flock', ['--no-fork', settings, 'sleep', '600']);
  const isHeld = async () =>
    await execute('flock', ['--nonblock', settings, 'true']).then(
      () => false,
      () => true,
    );
  await eventually('the lock is held', isHeld);
  t.match(await place.run(), { code: 75, stderr: /^publish\.sh: another run is not done yet\n$/ });
  holder.kill();
  await once(holder, 'exit');
  t.equal((await place.run()).code, 0);
});

void t.test('shellcheck finds nothing in it', async (t) => {
  await t.resolves(execute('shellcheck', [SCRIPT]));
});
