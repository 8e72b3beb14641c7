/** The command as operators and scripts meet it: output, exit codes, one line on stderr, and pipes. Help: `manual.unit.ts`. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'node:fs';
import { cp, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import t, { type Test } from 'tap';
import { COMMAND, runBura, runBuras, startBura } from '../../support/service/command.js';
import { snapshotDocument, writeDocument } from '../../support/documents/documents.js';
import { serveFaulty } from '../../support/faults/web-store.js';
import { getJson } from '../../support/service/requests.js';
import { inTime, makeRoot, startService } from '../../support/service/service.js';

const execute = promisify(execFile);
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

/** A store and documents for commands. */
function place(folder: string) {
  return {
    env: { SNAPSHOT_STORE: `file:${folder}/store` },
    write: async (name: string, overrides: Record<string, unknown> = {}) => {
      const path = join(folder, name);
      await writeDocument(path, snapshotDocument(overrides));
      return path;
    },
  };
}

/** Commands with their expected results. */
type Cases = readonly (readonly [parameters: readonly string[], expected: object])[];

/** A failure is one line on stderr that says why. */
const failure = (why: RegExp, code = 1) => ({
  code,
  stderr: new RegExp(`^bura: [^\\n]*(?:${why.source})[^\\n]*\\n$`),
});

async function assertCases(
  t: Test,
  cases: Cases,
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  const lists = cases.map(([parameters]) => parameters);
  const results = await runBuras(lists, { env });
  for (const [at, [parameters, expected]] of cases.entries()) {
    t.match(results[at], expected, parameters.join(' '));
  }
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

void t.test('says its version, and shows the settings that a command reads', async (t) => {
  const [version, all, serve, list, texts, accepted] = await runBuras([
    ['--version'],
    ['--help'],
    ['serve', '--help'],
    ['list', '--help'],
    ['texts', '--help'],
    ['texts', 'check', 'data/demo/texts', '--worker-threads', '2'],
  ]);
  const manifest = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };
  t.match(version, { code: 0, stdout: `${manifest.version}\n`, stderr: '' });
  t.match(all, { code: 0, stdout: '  publish' });
  t.match(list, { code: 0, stdout: /^Usage: bura list / });
  t.match(serve, { code: 0, stdout: /^Usage: bura serve.*\nExit codes: 0 [^\n]+\n$/s });
  for (const flag of ['--snapshot-store', '--key-prefix', '--redis-ca-file', '--local-dir']) {
    t.match(list?.stdout, `\n  ${flag} `);
  }
  for (const run of [list, texts]) t.notMatch(run?.stdout, '--worker-threads');
  t.match(accepted, { code: 0, stderr: '' }, 'each command accepts all settings');
});

void t.test('bad usage and bad configuration exit 2 with one line that names it', async (t) => {
  const usage: readonly (readonly [readonly string[], RegExp])[] = [
    [[], /no command given/],
    [['nosuch'], /unknown command 'nosuch'/],
    [['list', '--nosuch'], /unknown option '--nosuch'/],
    [['publish'], /missing required argument 'file'/],
    [['build', '--from', 'x'], /--out/],
    [[...BUILD, '--schema-version', '1.4.0'], /choices are 1\.2\.0, 1\.3\.0/],
    [[...BUILD, '--encoding', 'latin-0'], /--encoding is "latin-0": expected a label/],
    [[...BUILD, '--explain', 'x'], /give either --from DIR or --explain DIR/],
    [['prune'], /--keep/],
    [['list', '--key-prefix'], /argument missing/],
    [['list', '--key-prefix', '../x'], /KEY_PREFIX \(--key-prefix\) is "\.\.\/x"/],
    [['serve', '--port', '65536', '--log-level', 'loud'], /PORT .*65536.*; LOG_LEVEL .*"loud"/],
    [['list', '--snapshot-store', 'redis://:secret@127.0.0.1,other'], /redis:\/\/127.*\+sentinel/],
    [['list', '--snapshot-store', 'http://u:secret@127.0.0.1:1/'], /read-only/],
    [['verify', 'neither a file nor an id'], /neither a file nor a snapshot id/],
    [['publish', 'x', '--allow', 'all'], /future, alone, /],
    [
      ['serve', '--snapshot-store', 'file:./a', '--local-dir', './a/b'],
      /LOCAL_DIR .*: expected a folder apart from/,
    ],
    [['health', '--port', '0'], /PORT is 0.*--url/],
    [['health', '--url', 'example.org'], /--url is "example\.org": expected/],
    [['health', '--timeout', '0'], /above 0/],
  ];
  const results = await runBuras(usage.map(([parameters]) => parameters));
  for (const [at, [parameters, expected]] of usage.entries()) {
    t.match(results[at], { stdout: '', ...failure(expected, 2) }, parameters.join(' '));
    t.notMatch(results[at]?.stderr, 'secret');
  }
  const { code, stderr } = await runBura(['list'], { env: { KEY_PREFIX: '', PORT: 'x\ny' } });
  t.equal(code, 2);
  t.match(stderr, /^bura: KEY_PREFIX is "": .*; PORT is "x\\ny": [^\n]+\n$/);
});

void t.test('builds, publishes, lists, goes back, verifies and prunes', async (t) => {
  const folder = t.testdir({ csv: CSV });
  const { env, write } = place(folder);
  const out = join(folder, 'built.json.gz');
  const built = await runBura(['build', '--from', join(folder, 'csv'), '--out', out]);
  t.equal(built.code, 0, built.stderr);
  const id = /(\d{8}T\d{6}Z-[0-9a-f]{12}), 2 rows/.exec(built.stdout)?.[1] ?? '';
  t.match(id, /^20260910T000000Z-/);
  // A document of another network, in which component 1 is another one.
  const next = ['publish', await write('next.json'), '--no-activate', '--allow', 'code'];
  const lists = [['publish', out], next, ['list'], ['list', '--json']];
  const [published, allowed, listed, json] = await runBuras(lists, { env });
  t.equal(published?.code, 0);
  t.match(allowed, { code: 0, stdout: /allowed \(code\): component 1 has the code SO2/ });
  const [test = '', own = ''] = (listed?.stdout ?? '').trimEnd().split('\n');
  t.match(test, /^20260910T000000Z-test\t\d+\t\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ\t-$/);
  t.ok(own.startsWith(`${id}\t`) && own.endsWith('\tactive'), own);
  const records = JSON.parse(json?.stdout ?? '') as readonly unknown[];
  t.match(records[1], { snapshot_id: id, active: true, size_bytes: Number, stored_at: String });
  const cases: Cases = [
    [['activate', '20260910T000000Z-test'], { code: 0 }],
    [['verify', '20260910T000000Z-test'], { stdout: /valid.*size and SHA-256/ }],
    [['verify', id], { stdout: /valid document, not active.* 2 rows/ }],
    [['verify', out], { stdout: /valid document.* 2 rows/ }],
    [['activate', id], { code: 0 }],
    [['prune', '--keep', '0'], { stdout: 'removed 20260910T000000Z-test' }],
    [['list'], { stdout: new RegExp(`^${id}\\t.*\\tactive\\n$`) }],
    [next, { code: 1, stderr: REMOVED }],
  ];
  await assertCases(t, cases, env);
});

const REMOVED =
  /^bura: \S+ was removed from file:\S+, and an id is never used again, whatever the bytes: [^\n]+\n$/;

const MEASURED =
  "'A' AS station_code, 'NO2' AS short_name, TIMESTAMP '2026-03-01 05:00' AS time_start_utc";
const SCRIPT = `
  CREATE TABLE stations AS SELECT 'A' AS station_code, 'Alpha' AS station_name;
  CREATE TABLE components AS SELECT 'NO2' AS short_name, 'ppb' AS unit;
  CREATE VIEW measurements AS SELECT ${MEASURED}, v AS value FROM read_csv('v.csv', header = false, names = ['v']);`;
const NAMED = ['--organization-name', 'Agency', '--organization-short-name', 'A'];

void t.test('without DuckDB, one line says what to type', async (t) => {
  const from = join(t.testdir({ export: { 'bura.sql': SCRIPT, 'v.csv': '20.5\n' } }), 'export');
  // Outside of this checkout, which has it.
  const folder = await makeRoot(t);
  const modules = join(folder, 'node_modules');
  await mkdir(modules);
  await cp('build/src', join(folder, 'dist'), { recursive: true });
  for (const name of await readdir('node_modules')) {
    if (name !== '@duckdb') await symlink(resolve('node_modules', name), join(modules, name));
  }
  const manifest = JSON.parse(await readFile('package.json', 'utf8')) as {
    readonly devDependencies: Readonly<Record<string, string>>;
  };
  const version = manifest.devDependencies['@duckdb/node-api'] ?? '';
  t.match(version, /^\d/);
  // As a package has it.
  const packed = { ...manifest, devDependencies: undefined };
  await writeFile(join(folder, 'package.json'), JSON.stringify(packed));
  const words = [join(folder, 'dist/cli.js'), 'build', '--from', from, ...NAMED];
  const run = async () => await execute(process.execPath, words).catch((error: unknown) => error);
  const install = `npm install --prefix ${folder}/duckdb @duckdb/node-api@${version}`;
  t.match(await run(), {
    code: 1,
    stderr: `bura: bura.sql is read by DuckDB, which is not installed: ${install}\n`,
  });
  // As that command leaves it.
  await mkdir(join(folder, 'duckdb/node_modules'), { recursive: true });
  await symlink(resolve('node_modules/@duckdb'), join(folder, 'duckdb/node_modules/@duckdb'));
  t.match(await run(), { stdout: /, 1 rows, / });
});

void t.test('a failure exits 1 with one line that says why', async (t) => {
  const folder = t.testdir();
  const { write, env } = place(folder);
  const bad = await write('bad.json', { generated_at: 'yesterday', stations: [] });
  const foreign = await write('foreign.json', { schema_version: '9.9.9' });
  const old = await write('old.json', { snapshot_id: 'old' });
  const later = { snapshot_id: 'old', generated_at: '2026-09-10T01:00Z' };
  const other = await write('other.json', later);
  const nowhere = join(folder, 'none');
  const web = await serveFaulty(t, { root: folder, faultOf: () => undefined });
  const cases: Cases = [
    [['publish', old], { code: 0 }],
    [['publish', await write('good.json', { snapshot_id: 'good' })], { code: 0 }],
    [['publish', `${nowhere}.json`], failure(/cannot read .*none\.json/)],
    ...['publish', 'verify'].flatMap((command): Cases => [
      [[command, bad], failure(/bad\.json: generated_at: /)],
      [[command, foreign], failure(/9\.9\.9/)],
    ]),
    ...['activate', 'verify'].map(
      (command) => [[command, 'other'], failure(/no snapshot "other"/)] as const,
    ),
    [['verify', 'good', '--snapshot-store', web], { stdout: /valid.*size and SHA-256/ }],
    [['verify', 'other', '--snapshot-store', web], failure(/404/)],
    [['build', '--from', nowhere, '--out', 'x.json'], failure(/cannot read .*none: ENOENT/)],
    [
      ['build', '--from', 'data/demo', '--out', `${nowhere}/x.json`],
      failure(/cannot write .*none\/x\.json: ENOENT/),
    ],
    [['publish', other, '--dry-run'], failure(/stored already with/)],
    [['publish', old, '--dry-run'], { code: 0, stdout: /old: is stored already \(/ }],
    [['remove', 'good'], failure(/activate another one first/)],
    [['remove', 'old'], { code: 0, stdout: /^old: removed from the store; / }],
    [['remove', 'old'], { code: 0, stdout: /^old: it is not in the store; / }],
    [['activate', 'old'], failure(/holds no snapshot "old"/)],
    ...[[old], [other], [old, '--no-activate'], [old, '--dry-run']].map(
      (words) => [['publish', ...words], { code: 1, stderr: REMOVED }] as const,
    ),
  ];
  await assertCases(t, cases, env);
  // Trailing bytes of gzip are not looked at by everybody: size and digest are.
  const stored = join(folder, 'store/demo/snapshots/good.json.gz');
  await writeFile(stored, Buffer.concat([await readFile(stored), Buffer.alloc(8)]));
  await assertCases(t, [[['verify', 'good'], failure(/good: /)]], env);
  await writeFile(join(folder, 'store/demo/active.json'), '{"snapshot_id":"../x"}');
  const malformed = { code: 1, stdout: /^good\t/, stderr: /pointer.*malformed/ };
  await assertCases(t, [[['list'], malformed]], env);
});

void t.test('what is no file is one line and an exit code, and is not waited for', async (t) => {
  const folder = t.testdir({ texts: { en: {} } });
  const [document = '', map = '', ...rest] = ['a.json', 'map.json', 'texts/en/portal.ftl'].map(
    (name) => join(folder, name),
  );
  await execute('mkfifo', [document, map, ...rest]);
  const texts = join(folder, 'texts');
  const redis = ['list', '--snapshot-store', 'rediss://127.0.0.1:1', '--redis-ca-file', map];
  const cases: Cases = [
    [['publish', document], failure(/cannot read \S+a\.json: not a regular file/)],
    [['verify', document], failure(/neither a file nor a snapshot id/, 2)],
    [['serve', '--base-map', map], failure(/BASE_MAP is \S+map\.json": not a regular file/, 2)],
    [
      ['serve', '--texts-dir', texts],
      failure(/TEXTS_DIR is \S+: en\/portal\.ftl:1: not a regular file/, 2),
    ],
    [redis, failure(/REDIS_CA_FILE cannot be read: not a regular file/)],
  ];
  await assertCases(t, cases, { SNAPSHOT_STORE: `file:${folder}/store` });
});

void t.test('a build that is killed leaves nothing once there was another one', async (t) => {
  const long =
    'SELECT count(*) FROM range(1000000) AS a, range(1000000) AS b WHERE a.range * b.range = 7;';
  const slow = { 'bura.sql': `${SCRIPT} ${long}`, 'v.csv': '20.5\n' };
  const folder = t.testdir({ out: {}, from: slow });
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
  await writeFile(join(from, 'bura.sql'), SCRIPT);
  t.match(await runBura(parameters), { code: 0 });
  t.same(await readdir(out), ['document.json']);
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
      // Node 24 itself warns before it.
      stderr: /^(?:Warning: .*\n\n\n)?bura: the command ended before it was done[^\n]*\n$/s,
    });
  }
});

void t.test('what looks like a mistake is refused until it is allowed', async (t) => {
  const { env, write } = place(t.testdir());
  const future = { snapshot_id: 'wrong', generated_at: '2052-10-05T00:00:00Z' };
  const wrong = await write('wrong.json', future);
  const refused = {
    code: 1,
    stderr:
      /^bura: this looks like a mistake: generated_at is 2052-10-05T00:00:00Z, .*--allow future --allow alone.*\n$/,
    stdout: /stations +\d+.*, with coordinates \d+\n.*in the newest hour/,
  };
  const all = ['--allow', 'future', '--allow', 'alone', '--allow', 'drop'];
  const cases: Cases = [
    [['publish', await write('good.json', { snapshot_id: 'good' })], { code: 0 }],
    ...['verify', 'publish'].map((command) => [[command, wrong], refused] as const),
    [['publish', wrong, '--allow', 'future'], failure(/intended: --allow alone --allow drop/)],
    [
      ['publish', wrong, '--dry-run', ...all],
      { code: 0, stdout: /wrong: would be stored .*; nothing was\n$/ },
    ],
    [['list'], { stdout: /^good\t[^\n]*\n$/ }],
    [['publish', wrong, ...all], { code: 0, stdout: /allowed \(future\): / }],
    [['list'], { stdout: /^wrong\t.*active/m }],
  ];
  await assertCases(t, cases, env);
});

void t.test('a reader that has gone is no failure, a full disk behind stdout is', async (t) => {
  const { write, env } = place(t.testdir());
  await runBura(['publish', await write('a.json')], { env });
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
    if (turn === 'second') {
      // Real data are not compared with it.
      const file = join(root, 'real.json');
      await writeDocument(file, snapshotDocument({ snapshot_id: 'real' }));
      const env = { SNAPSHOT_STORE: `file:${join(root, 'store')}` };
      t.match(await runBura(['publish', file], { env }), { code: 0, stderr: '' });
      await service.waitForLog(
        (line) => line.msg === 'activated' && line['snapshot_id'] === 'real',
      );
    }
    t.same(await service.stop(), { code: 0, signal: null });
    t.equal(service.stderr(), '');
  }
});
