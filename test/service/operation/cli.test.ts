/** The command as operators and scripts meet it: output, exit codes, one line on stderr, help and pipes. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'node:fs';
import { cp, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import t from 'tap';
import { SETTING_FLAGS } from '../../../src/settings.js';
import { COMMAND, runBura, runBuras, startBura } from '../../support/service/command.js';
import { snapshotDocument, writeDocument } from '../../support/documents/documents.js';
import { serveFaulty } from '../../support/faults/web-store.js';
import { getJson } from '../../support/service/requests.js';
import { inTime, makeRoot, startService } from '../../support/service/service.js';

const execute = promisify(execFile);
const COMMANDS = [
  'serve',
  'health',
  'status',
  'build',
  'verify',
  'publish',
  'activate',
  'list',
  'prune',
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
    [[...BUILD, '--encoding', 'latin-0'], /--encoding is "latin-0": expected a label/],
    [
      ['build', '--from', 'x', '--explain', 'x'],
      /--from DIR or --explain DIR is needed, and not both/,
    ],
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
  // Of another network, in which component 1 is another one.
  const next = ['publish', await write('next.json'), '--no-activate', '--allow', 'code'];
  t.match(await bura(...next), {
    code: 0,
    stdout: /allowed \(code\): component 1 has the code SO2/,
  });
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
  t.match(await bura(...next), { code: 1, stderr: REMOVED });
});

const REMOVED =
  /^bura: \S+ was removed from file:\S+, and an id is never used again, whatever the bytes: [^\n]+\n$/;

void t.test('an id that was removed is refused by whatever would store it', async (t) => {
  const { bura, write } = place(t.testdir());
  const old = await write('old.json', { snapshot_id: 'old' });
  const other = await write('other.json', {
    snapshot_id: 'old',
    generated_at: '2026-09-10T01:00Z',
  });
  for (const file of [old, await write('new.json', { snapshot_id: 'new' })]) {
    t.equal((await bura('publish', file)).code, 0);
  }
  const [conflict, same, active] = await Promise.all([
    bura('publish', other, '--dry-run'),
    bura('publish', old, '--dry-run'),
    bura('remove', 'new'),
  ]);
  t.match(conflict, { code: 1, stderr: /stored already with/ });
  t.match(same, { code: 0, stdout: /old: is stored already \(/ });
  t.match(active, { code: 1, stderr: /activate another one first/ });
  t.match(await bura('remove', 'old'), { code: 0, stdout: /^old: removed from the store; / });
  const [again, listed, activated, ...refused] = await Promise.all([
    bura('remove', 'old'),
    bura('list'),
    bura('activate', 'old'),
    ...[[old], [other], [old, '--no-activate'], [old, '--dry-run']].map((words) =>
      bura('publish', ...words),
    ),
  ]);
  t.match(again, { code: 0, stdout: /^old: it is not in the store; / });
  t.match(listed.stdout, /^new\t[^\n]*\tactive\n$/);
  t.match(activated, { code: 1, stderr: /holds no snapshot "old"\n$/ });
  for (const one of refused) t.match(one, { code: 1, stderr: REMOVED });
  t.equal(refused.length, 4);
});

const MEASURED =
  "'A' AS station_code, 'NO2' AS short_name, TIMESTAMP '2026-03-01 05:00' AS time_start_utc";
const SCRIPT = `
  CREATE TABLE stations AS SELECT 'A' AS station_code, 'Alpha' AS station_name;
  CREATE TABLE components AS SELECT 'NO2' AS short_name, 'ppb' AS unit;
  CREATE VIEW measurements AS SELECT ${MEASURED}, v AS value FROM read_csv('v.csv', header = false, names = ['v']);`;
const NAMED = ['--organization-name', 'Agency', '--organization-short-name', 'A'];

void t.test('builds from exports by bura.sql, and says what it has not read', async (t) => {
  const folder = t.testdir({ export: { 'bura.sql': SCRIPT, 'v.csv': '20.5\n', 'w.csv': '' } });
  const from = join(folder, 'export');
  const built = await runBura(['build', '--from', from, ...NAMED]);
  t.match(built, {
    code: 0,
    stdout: /export\/snapshot\.json\.gz: 20260301T060000Z-\w{12}, 1 rows, /,
  });
  t.equal(built.stderr, 'bura: note: w.csv: no statement of bura.sql has read it\n');
  const again = await runBura(['build', '--from', from, ...NAMED]);
  t.equal(again.code, 0);
  t.equal(again.stdout, built.stdout, 'the document is no file that a statement may read');
  t.equal(again.stderr, built.stderr);
  await writeFile(join(from, 'v.csv'), '20.');
  const cut = await runBura(['build', '--from', from, ...NAMED]);
  t.match(cut, {
    code: 1,
    stderr: /v\.csv: it is empty or its last line has no end.*If it is none: --allow cut/,
  });
  t.equal((await runBura(['build', '--from', from, ...NAMED, '--allow', 'cut'])).code, 0);
  await writeFile(join(from, 'v.csv'), '');
  const empty = await runBura(['build', '--from', from, ...NAMED]);
  t.match(empty, {
    code: 1,
    stderr: /^bura: measurements: no row with a date and a time[^\n]*\n$/,
  });
});

void t.test('compares with the active snapshot of a store whose path is relative', async (t) => {
  const directory = t.testdir({ export: { 'bura.sql': SCRIPT, 'v.csv': '20.5\n' } });
  const options = { directory, env: { SNAPSHOT_STORE: 'file:store' } };
  const build = async () => await runBura(['build', '--from', 'export', ...NAMED], options);
  t.match(await build(), { code: 0 });
  t.match(await runBura(['publish', 'export/snapshot.json.gz'], options), { code: 0 });
  await writeFile(join(directory, 'export/bura.sql'), SCRIPT.replace('ppb', 'ppm'));
  t.match(await build(), { code: 1, stderr: /has the unit ppm, and ppb in the active snapshot/ });
});

void t.test('without DuckDB, one line says what to type', async (t) => {
  const from = join(t.testdir({ export: { 'bura.sql': SCRIPT, 'v.csv': '20.5\n' } }), 'export');
  // Outside of this checkout, which has it.
  const folder = await makeRoot(t);
  const modules = join(folder, 'node_modules');
  await mkdir(modules);
  await cp('build/src', join(folder, 'dist'), { recursive: true });
  await cp('package.json', join(folder, 'package.json'));
  for (const name of await readdir('node_modules')) {
    if (name !== '@duckdb') await symlink(resolve('node_modules', name), join(modules, name));
  }
  const cli = join(folder, 'dist/cli.js');
  const parameters = ['build', '--from', from, ...NAMED];
  const manifest = JSON.parse(await readFile('package.json', 'utf8')) as {
    readonly devDependencies: Readonly<Record<string, string>>;
  };
  const version = manifest.devDependencies['@duckdb/node-api'] ?? '';
  const what = 'bura: bura.sql is read by DuckDB, which is not installed';
  const run = async () =>
    await promisify(execFile)(process.execPath, [cli, ...parameters]).catch(
      (error: unknown) => error,
    );
  t.match(await run(), {
    code: 1,
    stderr: `${what}: npm install --prefix ${folder}/duckdb @duckdb/node-api@${version}\n`,
  });
  // As that command leaves it.
  await mkdir(join(folder, 'duckdb/node_modules'), { recursive: true });
  await symlink(resolve('node_modules/@duckdb'), join(folder, 'duckdb/node_modules/@duckdb'));
  t.match(await run(), { stdout: /, 1 rows, / });
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
    [
      ['build', '--from', join(folder, 'none'), '--out', join(folder, 'x.json')],
      /cannot read .*none: ENOENT/,
    ],
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

void t.test('what is no file is one line and an exit code, and is not waited for', async (t) => {
  const folder = t.testdir({ texts: { en: {} } });
  const [document = '', map = '', ...rest] = ['a.json', 'map.json', 'texts/en/portal.ftl'].map(
    (name) => join(folder, name),
  );
  await execute('mkfifo', [document, map, ...rest]);
  const texts = join(folder, 'texts');
  const cases: readonly (readonly [readonly string[], number, RegExp])[] = [
    [['publish', document], 1, /cannot read \S+a\.json: not a regular file/],
    [['verify', document], 2, /neither a file nor a snapshot id/],
    [['serve', '--base-map', map], 2, /BASE_MAP is \S+map\.json": not a regular file/],
    [['serve', '--texts-dir', texts], 2, /TEXTS_DIR is \S+: en\/portal\.ftl:1: not a regular file/],
    [
      ['list', '--snapshot-store', 'rediss://127.0.0.1:1', '--redis-ca-file', map],
      1,
      /REDIS_CA_FILE cannot be read: not a regular file/,
    ],
  ];
  const results = await runBuras(
    cases.map(([parameters]) => parameters),
    { SNAPSHOT_STORE: `file:${folder}/store` },
  );
  for (const [at, { code, stderr }] of results.entries()) {
    const [parameters = [], expectedCode, expected] = cases[at] ?? [];
    t.equal(code, expectedCode, parameters.join(' '));
    t.match(stderr, /^bura: [^\n]+\n$/);
    t.match(stderr, expected);
  }
  t.equal(results.length, cases.length);
});

void t.test('a build that is killed leaves nothing once there was another one', async (t) => {
  const rows = Array.from({ length: 200_000 }, (_, hour) => {
    const at = new Date(hour * 3_600_000).toISOString();
    return `7,1,${at.slice(0, 10)},${at.slice(11, 16)},20.5\n`;
  });
  const measurements = `station_id,component_id,date,time,value\n${rows.join('')}`;
  const long =
    'SELECT count(*) FROM range(1000000) AS a, range(1000000) AS b WHERE a.range * b.range = 7;';
  const cases = [
    { file: 'measurements.csv', slow: measurements, quick: CSV['measurements.csv'], others: CSV },
    { file: 'bura.sql', slow: `${SCRIPT} ${long}`, quick: SCRIPT, others: { 'v.csv': '20.5\n' } },
  ];
  for (const { file, slow, quick, others } of cases) {
    const folder = t.testdir({ out: {}, from: { ...others, [file]: slow } });
    const [from, out] = [join(folder, 'from'), join(folder, 'out')];
    const parameters = ['build', '--from', from, '--out', join(out, 'document.json'), ...NAMED];
    const watcher = watch(out);
    const child = startBura(parameters);
    const ended = once(child, 'exit');
    await inTime(once(watcher, 'change'), 'a temporary file', 20_000);
    watcher.close();
    child.kill('SIGKILL');
    t.same(await ended, [null, 'SIGKILL']);
    t.match(await readdir(out), [/^\.tmp-/]);
    await writeFile(join(from, file), quick);
    t.match(await runBura(parameters), { code: 0 }, file);
    t.same(await readdir(out), ['document.json']);
  }
});

void t.test('what ends before it is done ends with 1', async (t) => {
  // As a library does that waits for what never comes: nothing is left that Node would wait for.
  const never =
    "import fs from 'node:fs/promises'; import { syncBuiltinESMExports } from 'node:module';" +
    'fs.stat = () => new Promise(() => undefined); syncBuiltinESMExports();';
  const nodeArguments = ['--import', `data:text/javascript,${encodeURIComponent(never)}`];
  for (const command of ['verify', 'publish']) {
    t.match(await runBura([command, join(t.testdir(), 'a.json')], { nodeArguments }), {
      code: 1,
      stdout: '',
      stderr: /^bura: the command ended before it was done[^\n]*\n$/,
    });
  }
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
