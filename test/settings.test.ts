/** Settings: the documented defaults, what each one takes and refuses, and all problems at once. */
import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import t from 'tap';
import {
  assertApart,
  parseSettings,
  SETTING_FLAGS,
  SettingsError,
  type Settings,
} from '../src/settings.js';

const fromEnvironment = (environment: Record<string, string>): Settings =>
  parseSettings({ environment, flags: {} });

function problems(environment: Record<string, string>): readonly string[] {
  try {
    assertApart(fromEnvironment(environment));
  } catch (error) {
    if (error instanceof SettingsError) return error.problems;
    throw error;
  }
  return [];
}

void t.test('the defaults are the documented ones, and frozen', async (t) => {
  const settings = fromEnvironment({});
  t.strictSame(settings, {
    keyPrefix: 'demo',
    expectedSchemaVersion: '1.2.0',
    defaultLanguage: undefined,
    snapshotStore: 'file:./var/store',
    redisCaFile: undefined,
    redisSentinelPassword: undefined,
    localDir: './var/local',
    host: '0.0.0.0',
    port: 8080,
    portShared: 'off',
    adminPort: undefined,
    adminHost: '127.0.0.1',
    frontProcesses: 1,
    workerThreads: Math.min(8, Math.max(1, availableParallelism() - 1)),
    maxConnections: undefined,
    eventListeners: 10_000,
    retiredCopies: 3,
    historySnapshots: 144,
    archive: 'on',
    archiveDiskMb: 4096,
    pointerPollSeconds: 2,
    storeGraceSeconds: 86400,
    publicBaseUrl: undefined,
    trustProxy: false,
    timeZone: undefined,
    baseMap: undefined,
    textsDir: undefined,
    logLevel: 'info',
    accessLog: 0,
    accessLogAddress: false,
  });
  t.ok(Object.isFrozen(settings));
});

void t.test('every variable is read', async (t) => {
  const read = JSON.parse(await readFile('test/fixtures/cases/settings.json', 'utf8')) as Readonly<
    Record<keyof Settings, string | number | boolean>
  >;
  const environment = SETTING_FLAGS.map(({ name, variable }): [string, string] => {
    const value = read[name];
    return [variable, value === true ? '1' : String(value)];
  });
  t.strictSame(fromEnvironment(Object.fromEntries(environment)), read);
  for (const [given, base] of [
    ['https://data.example/air/', 'https://data.example/air'],
    ['https://data.example/open/air//', 'https://data.example/open/air'],
    ['https://data.example//', 'https://data.example'],
    ['HTTPS://DATA.example/Vazduh/\u010dist', 'https://data.example/Vazduh/%C4%8Dist'],
  ] as const) {
    t.equal(fromEnvironment({ PUBLIC_BASE_URL: given }).publicBaseUrl, base, given);
  }
});

void t.test('flags are the variables in kebab case, members in camel case', async (t) => {
  const camel = (flag: string) =>
    flag.slice(2).replace(/-(.)/g, (_all, c: string) => c.toUpperCase());
  for (const { name, variable, flag } of SETTING_FLAGS) {
    t.equal(flag, `--${variable.toLowerCase().replaceAll('_', '-')}`);
    t.equal(camel(flag), name);
  }
  t.equal(SETTING_FLAGS.length, Object.keys(fromEnvironment({})).length);
});

void t.test('refuses what is odd: variable, value and what was expected', async (t) => {
  const odd = JSON.parse(
    await readFile('test/fixtures/cases/odd-settings.json', 'utf8'),
  ) as Readonly<Record<string, readonly string[]>>;
  for (const [variable, values] of Object.entries(odd)) {
    for (const value of values) {
      const [problem = '', ...others] = problems({ [variable]: value });
      t.strictSame(others, [], `${variable}=${value}`);
      t.match(problem, new RegExp(`^${variable} is ".*expected `), `${variable}=${value}`);
      t.notMatch(problem, /[\n\r]/);
    }
  }
});

void t.test('all problems come at once, in one line, cut, without credentials', async (t) => {
  const found = problems({ PORT: 'x', LOG_LEVEL: 'y', KEY_PREFIX: '../z' });
  t.equal(found.length, 3);
  const { message } = new SettingsError(found);
  for (const name of ['PORT', 'LOG_LEVEL', 'KEY_PREFIX']) t.match(message, name);
  t.notMatch(message, '\n');
  const [long = ''] = problems({ KEY_PREFIX: 'x'.repeat(8000) });
  t.ok(long.length < 350, 'short');
  t.match(long, 'cut');
  const [secret = ''] = problems({ SNAPSHOT_STORE: 'http://user:hunter2@127.0.0.1/?x=1' });
  t.notMatch(secret, 'hunter2');
});

void t.test('a flag counts before its variable, and a problem names it', async (t) => {
  const settings = parseSettings({ environment: { PORT: '81', HOST: 'a' }, flags: { port: '82' } });
  t.strictSame([settings.port, settings.host], [82, 'a']);
  t.throws(() => parseSettings({ environment: {}, flags: { frontProcesses: '0' } }), {
    message: 'FRONT_PROCESSES (--front-processes) is "0": expected an integer from 1 to 64',
  });
});

void t.test('metrics on the port of the service are refused', async (t) => {
  t.match(problems({ PORT: '9000', ADMIN_PORT: '9000' })[0], /another port than PORT/);
  t.strictSame(problems({ PORT: '0', ADMIN_PORT: '0' }), []);
  t.strictSame(problems({ ADMIN_PORT: 'off' }), []);
  t.match(problems({ PORT: '0', PORT_SHARED: 'on' })[0], /the port of the other instance/);
});

void t.test('no text makes it fail in another way', async () => {
  const variables = SETTING_FLAGS.map(({ variable }) => variable);
  fc.assert(
    fc.property(
      fc.dictionary(fc.constantFrom(...variables), fc.string({ unit: 'binary' })),
      (environment) => {
        for (const problem of problems(environment)) {
          if (!/ is ".*: expected /s.test(problem)) return false;
        }
        return true;
      },
    ),
    { numRuns: 500 },
  );
});

void t.test('the store and the local copies lie apart, by their real paths', async (t) => {
  const root = t.testdir({
    store: { demo: {} },
    local: {},
    link: t.fixture('symlink', 'store'),
    dangling: t.fixture('symlink', 'store/not/yet'),
  });
  const within = (store: string, local: string): readonly string[] =>
    problems({ SNAPSHOT_STORE: store, LOCAL_DIR: local });
  const inside =
    'store store;store store/demo;store store/not/yet;store/demo store;store .;link store/x;' +
    'store link/demo/../x;store dangling/x;not/yet not;not/yet not/yet/either;store /';
  for (const pair of inside.split(';')) {
    const [store = '', local = ''] = pair.split(' ');
    const found = within(`file:${join(root, store)}`, resolve(root, local));
    t.equal(found.length, 1, `${store} and ${local}`);
    t.match(found[0], /^LOCAL_DIR is ".*": expected a folder apart from that of SNAPSHOT_STORE/);
  }
  const apart = 'store local;store store-local;store ..store;link local;not/yet not/there';
  for (const pair of apart.split(';')) {
    const [store = '', local = ''] = pair.split(' ');
    t.same(within(`file:${join(root, store)}`, join(root, local)), [], `${store} and ${local}`);
  }
  t.same(within(pathToFileURL(join(root, 'store')).href, join(root, 'store')).length, 1);
  t.same(within('https://data.example/', join(root, 'store')), [], 'a store elsewhere');
  t.same(within('file:./var/store', './var/local'), []);
});
