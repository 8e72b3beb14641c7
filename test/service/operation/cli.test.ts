/** The command as operators and scripts meet it: output, exit codes, one line on stderr, help and pipes. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import t from 'tap';
import { SETTING_FLAGS } from '../../../src/settings.js';
import { COMMAND, runBura, runBuras, startBura } from '../../support/service/command.js';
import { snapshotDocument, writeDocument } from '../../support/documents/documents.js';
import { serveFaulty } from '../../support/faults/web-store.js';
import { getJson } from '../../support/service/requests.js';
import { inTime, startService } from '../../support/service/service.js';

const execute = promisify(execFile);
const COMMANDS = [
  ...['serve', 'health', 'status', 'build', 'verify', 'publish', 'activate', 'list', 'prune'],
  'completion',
];

const CSV = {
  'organizations.csv': 'organization_id,name,short_name\n1,Agencija,SEPA\n',
  'networks.csv': 'network_id,network_code,name,short_name\n1,DM,Državna mreža,DM\n',
  'components.csv': 'component_id,short_name,unit\n1,PM10,ug.m-3\n',
  'stations.csv':
    'station_id,station_name,station_code,organization_id,network_id\n7,Niš,RS0007A,1,1\n',
  'measurements.csv':
    'station_id,component_id,date,time,value\n7,1,2026-09-09,22:00,20.5\n7,1,2026-09-09,23:00,\n',
};

const BUILD = ['build', '--from', 'x', '--out', 'y'];
const WIDE = [...BUILD, '--layout', 'wide'];

/** Runs commands on a store of their own. */
function place(folder: string) {
  const env = { SNAPSHOT_STORE: `file:${folder}/store` };
  return {
    env,
    bura: (...parameters: string[]) => runBura(parameters, { env }),
    write: async (name: string, overrides: Record<string, unknown> = {}) => {
      const path = join(folder, name);
      await writeDocument(path, snapshotDocument(overrides));
      return path;
    },
  };
}

void t.test('what cannot start ends though nobody reads why', async (t) => {
  const wrap = ['sh', '-c', 'head -c 1000000 /dev/zero >&2 & sleep 0.1; exec "$@"', 'sh'];
  const child = startBura(['serve', '--port', 'none'], { wrap });
  t.teardown(() => {
    child.kill('SIGKILL');
    child.stderr.destroy();
  });
  t.same(await inTime(once(child, 'exit'), 'the end', 20_000), [2, null]);
});

void t.test('every command explains itself, with every setting and an example', async (t) => {
  const results = await runBuras(COMMANDS.map((name) => [name, '--help']));
  for (const [at, { code, stdout, stderr }] of results.entries()) {
    const name = COMMANDS[at] ?? '';
    t.equal(code, 0);
    t.equal(stderr, '');
    t.match(stdout, `Usage: bura ${name}`);
    t.match(stdout, `Examples:\n  bura ${name}`);
    t.match(stdout, /\nExit codes: 0 [^\n]+; 1 [^\n]+; 2 bad usage or configuration\.\n$/);
    for (const { flag, variable } of SETTING_FLAGS) {
      t.ok(stdout.includes(flag) && stdout.includes(variable), `${name} ${flag}`);
    }
  }
  const { stdout } = await runBura(['--help']);
  for (const name of COMMANDS) t.match(stdout, `  ${name}`);
  const manifest = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };
  t.equal((await runBura(['--version'])).stdout, `${manifest.version}\n`);
});

void t.test('bad usage and bad configuration exit 2 with one line that names it', async (t) => {
  const cases: readonly (readonly [readonly string[], RegExp])[] = [
    [[], /no command given/],
    [['nosuch'], /unknown command 'nosuch'/],
    [['list', '--nosuch'], /unknown option '--nosuch'/],
    [['publish'], /missing required argument 'file'/],
    [['publish', 'a', 'b'], /too many arguments/],
    [['build', '--from', 'x'], /--out/],
    [
      ['build', '--from', 'x', '--out', 'y', '--schema-version', '1.4.0'],
      /choices are 1\.2\.0, 1\.3\.0/,
    ],
    [[...BUILD, '--map', 'pm10=1'], /--map needs --layout wide/],
    [
      [...WIDE, '--map', 'pm10=1'],
      /--layout wide needs --time-column, or --date-column and --hour-column, --hour-marks/,
    ],
    [[...WIDE, '--time-column', 't', '--hour-marks', 'middle'], /choices are start, end/],
    [[...WIDE, '--map', 'pm10'], /--map is "pm10": expected a column, = and a component id/],
    [[...WIDE, '--map', 'a=1', '--map', 'b=1'], /--map b=1: .* is mapped already/],
    [
      [...WIDE, '--time-column', 't', '--hour-marks', 'end', '--map', 'a=1', '--ignore', 'a'],
      /the flags say two things of the column "a"/,
    ],
    [[...WIDE, '--time-zone', 'Europe/Nis'], /TIME_ZONE \(--time-zone\) is "Europe\/Nis"/],
    [['prune'], /--keep/],
    [['prune', '--keep', 'all'], /'all'/],
    [['list', '--key-prefix'], /argument missing/],
    [['list', '--key-prefix', '../x'], /KEY_PREFIX \(--key-prefix\) is "\.\.\/x"/],
    [['serve', '--port', '65536', '--log-level', 'loud'], /PORT .*65536.*; LOG_LEVEL .*"loud"/],
    [['list', '--snapshot-store', 'redis://:secret@127.0.0.1,other'], /redis:\/\/127.*\+sentinel/],
    [['list', '--snapshot-store', 'http://u:secret@127.0.0.1:1/'], /read-only/],
    [['verify', 'neither a file nor an id'], /neither a file nor a snapshot id/],
  ];
  const results = await runBuras(cases.map(([parameters]) => parameters));
  for (const [at, { code, stdout, stderr }] of results.entries()) {
    const [parameters = [], expected] = cases[at] ?? [];
    t.equal(code, 2, parameters.join(' '));
    t.equal(stdout, '');
    t.match(stderr, /^bura: [^\n]+\n$/);
    t.match(stderr, expected);
    t.notMatch(stderr, 'secret');
  }
  const { code, stderr } = await runBura(['list'], { env: { KEY_PREFIX: '', PORT: 'x\ny' } });
  t.equal(code, 2);
  t.match(stderr, /^bura: KEY_PREFIX is "": .*; PORT is "x\\ny": [^\n]+\n$/);
});

void t.test('builds, publishes, lists, goes back, verifies and prunes', async (t) => {
  const folder = t.testdir({ csv: CSV });
  const { bura, write } = place(folder);
  const out = join(folder, 'built.json.gz');
  const built = await bura('build', '--from', join(folder, 'csv'), '--out', out);
  t.equal(built.code, 0, built.stderr);
  const id = /(\d{8}T\d{6}Z-[0-9a-f]{12}), 2 rows/.exec(built.stdout)?.[1] ?? '';
  t.match(id, /^20260910T000000Z-/);

  t.equal((await bura('publish', out)).code, 0);
  t.equal((await bura('publish', await write('next.json'), '--no-activate')).code, 0);
  const lines = (await bura('list')).stdout
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t'));
  t.strictSame(
    lines.map(([name, , , mark]) => [name, mark]),
    [
      ['20260910T000000Z-test', '-'],
      [id, 'active'],
    ],
  );
  for (const [, size, storedAt] of lines) {
    t.match(size, /^\d+$/);
    t.match(storedAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  }
  const json = JSON.parse((await bura('list', '--json')).stdout) as readonly unknown[];
  t.match(json[1], { snapshot_id: id, active: true, size_bytes: Number, stored_at: String });

  t.equal((await bura('activate', '20260910T000000Z-test')).code, 0);
  t.match((await bura('verify', '20260910T000000Z-test')).stdout, /valid.*size and SHA-256/);
  t.match((await bura('verify', id)).stdout, /valid document, not active.* 2 rows/);
  t.match((await bura('verify', out)).stdout, /valid document.* 2 rows/);
  t.equal((await bura('activate', id)).code, 0);

  const pruned = await bura('prune', '--keep', '0');
  t.match(pruned.stdout, 'removed 20260910T000000Z-test');
  t.strictSame((await bura('list')).stdout.split('\t')[0], id);
});

void t.test('builds from a wide table, in the time zone that the flags name', async (t) => {
  const table =
    'station;date_time;pm10;note\nRS0007A;2025-10-26 01:00;20,5;a\n' +
    'Niš;2025-10-26 02:00;-999;a\n7;2025-10-26 02:00;21,0;b\nRS0007A;2025-10-26 03:00;;b\n';
  const folder = t.testdir({ csv: { ...CSV, 'measurements.csv': table } });
  const out = join(folder, 'built.json');
  const flags = [
    ...['--layout', 'wide', '--time-column', 'date_time', '--station-column', 'station'],
    ...['--hour-marks', 'end', '--map', 'pm10=1', '--missing', '-999', '--ignore', 'note'],
    ...['--delimiter', 'semicolon', '--decimal-comma'],
  ];
  const env = { TIME_ZONE: 'America/New_York' };
  const build = (...more: string[]) =>
    runBura(['build', '--from', join(folder, 'csv'), '--out', out, ...flags, ...more], { env });
  t.match(await build(), { code: 1, stderr: /line 2, column date_time: .*: say --time-zone; / });
  t.match(await build('--time-zone', 'Europe/Belgrade'), { code: 0, stdout: /, 2 rows, / });
  const { measurements } = JSON.parse(await readFile(out, 'utf8')) as Record<string, unknown>;
  t.strictSame(measurements, [
    { station_id: 7, component_id: 1, date: '2025-10-25', time: '22:00', value: 20.5 },
    { station_id: 7, component_id: 1, date: '2025-10-26', time: '00:00', value: 21 },
  ]);
});

void t.test('what fails exits 1 with one line that says why', async (t) => {
  const folder = t.testdir();
  const { bura, write, env } = place(folder);
  const good = await write('good.json', { snapshot_id: 'good' });
  t.equal((await bura('publish', good)).code, 0);
  const stored = join(folder, 'store/demo/snapshots/good.json.gz');
  const whole = await readFile(stored);
  const bad = await write('bad.json', { generated_at: 'yesterday', stations: [] });
  const foreign = await write('foreign.json', { schema_version: '9.9.9' });
  const cases: readonly (readonly [readonly string[], RegExp])[] = [
    [['publish', join(folder, 'none.json')], /cannot read .*none\.json/],
    [['publish', bad], /bad\.json: generated_at: /],
    [['verify', bad], /bad\.json: generated_at: /],
    [['publish', foreign], /9\.9\.9/],
    [['verify', foreign], /9\.9\.9/],
    [['activate', 'other'], /no snapshot "other"/],
    [['verify', 'other'], /no snapshot "other"/],
    [['build', '--from', join(folder, 'none'), '--out', join(folder, 'x.json')], /stations\.csv/],
    [
      ['build', '--from', 'data/demo', '--out', join(folder, 'none/x.json')],
      /cannot write .*none\/x\.json: ENOENT/,
    ],
  ];
  const failed = await runBuras(
    cases.map(([parameters]) => parameters),
    env,
  );
  for (const [at, { code, stderr }] of failed.entries()) {
    const [parameters = [], expected] = cases[at] ?? [];
    t.equal(code, 1, parameters.join(' '));
    t.match(stderr, /^bura: [^\n]+\n$/);
    t.match(stderr, expected);
  }
  // Trailing bytes of gzip are not looked at by everybody: size and digest are.
  await writeFile(stored, Buffer.concat([whole, Buffer.alloc(8)]));
  t.match(await bura('verify', 'good'), { code: 1, stderr: /^bura: good: [^\n]+\n$/ });
  await writeFile(join(folder, 'store/demo/active.json'), '{"snapshot_id":"../x"}');
  const listed = await bura('list');
  t.match([listed.code, listed.stdout, listed.stderr], [1, /^good\t/, /pointer.*malformed/]);
});

void t.test('what looks like a mistake is refused until it is allowed', async (t) => {
  const folder = t.testdir();
  const { bura, write } = place(folder);
  t.equal((await bura('publish', await write('good.json', { snapshot_id: 'good' }))).code, 0);
  const wrong = await write('wrong.json', {
    snapshot_id: 'wrong',
    generated_at: '2052-10-05T00:00:00Z',
  });
  for (const command of [['verify'], ['publish'], ['publish', '--dry-run']]) {
    const { code, stdout, stderr } = await bura(...command, wrong);
    t.equal(code, 1);
    t.match(
      stderr,
      /^bura: this looks like a mistake: generated_at is 2052-10-05T00:00:00Z, .*\n$/,
    );
    t.match(stderr, /--allow future --allow alone/);
    t.match(stdout, /stations +\d+.*, with coordinates \d+\n.*in the newest hour/);
  }
  const list = await bura('list');
  t.notMatch(list.stdout, 'wrong', 'nothing was stored');
  const some = await bura('publish', wrong, '--allow', 'future');
  t.match(some, { code: 1, stderr: /If it is none: --allow alone --allow drop/ });
  const all = ['--allow', 'future', '--allow', 'alone', '--allow', 'drop'];
  const dry = await bura('publish', wrong, '--dry-run', ...all);
  t.match(dry, { code: 0, stdout: /wrong: would be stored .*; nothing was\n$/ });
  t.notMatch((await bura('list')).stdout, 'wrong');
  t.match(await bura('publish', wrong, ...all), { code: 0, stdout: /allowed \(future\): / });
  t.match((await bura('list')).stdout, /^wrong\t.*active/m);
  t.match(await bura('publish', wrong, '--allow', 'all'), { code: 2, stderr: /future, alone, / });
});

void t.test('verifies against a web server with the same layout', async (t) => {
  const folder = t.testdir();
  const { bura, write } = place(folder);
  await bura('publish', await write('a.json', { snapshot_id: 'a' }));
  const store = [
    '--snapshot-store',
    await serveFaulty(t, { root: folder, faultOf: () => undefined }),
  ];
  t.match((await bura('verify', 'a', ...store)).stdout, /valid.*size and SHA-256/);
  t.match(await bura('verify', 'b', ...store), { code: 1, stderr: /404/ });
});

void t.test('a reader that has gone is no failure, a full disk behind stdout is', async (t) => {
  const { bura, write, env } = place(t.testdir());
  await bura('publish', await write('a.json'));
  const child = startBura(['list'], { env });
  child.stdout.destroy();
  const [stderr] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  t.strictSame([child.exitCode, stderr], [0, '']);

  const shell = ['-c', `'${process.execPath}' '${COMMAND}' list > /dev/full`];
  await t.rejects(execute('sh', shell, { env }), {
    code: 1,
    stderr: /^bura: cannot write to stdout: ENOSPC[^\n]*\n$/,
  });
});

void t.test('serve --demo publishes the demonstration once, into an empty store', async (t) => {
  const root = t.testdir({ csv: CSV });
  for (const turn of ['first', 'second']) {
    const service = await startService(t, { root, args: ['--demo', join(root, 'csv')] });
    await service.waitForLog('activated');
    t.match((await getJson(service, '/meta')).body, {
      schema_version: '1.2.0',
      generated_at: /^2026-09-10T00:00:00/,
      counts: { measurement_rows: 2 },
      demonstration: true,
    });
    const said = service.plainLines.filter((line) => line.includes('demonstration'));
    t.match(said, turn === 'first' ? [/published the demonstration snapshot \S+ \(2 rows\)/] : []);
    t.equal(said.length, turn === 'first' ? 1 : 0);
    t.same(await service.stop(), { code: 0, signal: null });
    t.equal(service.stderr(), '');
  }
});
