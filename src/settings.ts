/** Reads the settings of a process from environment and flags: a frozen `Settings`, or all problems at once. */
import { availableParallelism } from 'node:os';
import {
  ADDRESS,
  decimal,
  given,
  integer,
  OFF_SWITCH,
  oneOf,
  OPTIONAL_FILE,
  parseBaseUrl,
  type Setting,
} from './settings-forms.js';
import { isLanguageTag, isTimeZone, OUR_LANGUAGES } from './texts/text-files.js';
import { overlap } from './snapshot/store/overlap.js';
import {
  addressWithoutCredentials,
  isKeyPrefix,
  parseStoreAddress,
  STORE_ADDRESS_FORM,
} from './snapshot/store/store-address.js';
import type { StoreAccess } from './snapshot/store/open.js';

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

/** Time zone without `TIME_ZONE` and that of `operator.json`, except for the demonstration. */
export const DEFAULT_ZONE = 'Europe/Belgrade';

function setting<T>(row: Setting<T>): Setting<T> {
  return row;
}

/** The table of settings: types, parser, flags, help and manual are made from it, and the docs are compared with it. */
const TABLE = {
  keyPrefix: setting({
    fallback: 'demo',
    meaning: 'namespace of the organization in the store',
    expected: '1 to 64 of A-Z a-z 0-9 . _ - (not . or ..)',
    parse: (text) => given(text, isKeyPrefix(text)),
  }),
  expectedSchemaVersion: setting({
    fallback: '1.2.0',
    meaning: 'the one snapshot schema version that is accepted',
    expected: 'a version of three numbers such as 1.2.0',
    parse: (text) => given(text, /^\d{1,4}\.\d{1,4}\.\d{1,4}$/.test(text)),
  }),
  defaultLanguage: setting<string | undefined>({
    fallback: undefined,
    shown: 'sr-Latn; en for the demonstration',
    meaning:
      'language of pages if the request names no language: sr-Latn, sr-Cyrl, en, or one of TEXTS_DIR',
    expected: 'a language tag such as en or sr-Latn',
    choices: OUR_LANGUAGES,
    parse: (text) => given(text, isLanguageTag(text)),
  }),
  textsDir: setting<string | undefined>({
    shown: 'none',
    meaning: "folder of the operator's own texts, languages and operator.json",
    ...OPTIONAL_FILE,
    names: 'dir',
  }),
  /** Never logged: the address may hold credentials. */
  snapshotStore: setting({
    fallback: 'file:./var/store',
    meaning: 'file:PATH, a Redis URL, or a read-only http(s):// URL',
    expected: STORE_ADDRESS_FORM,
    parse: (text) => given(text, parseStoreAddress(text) !== undefined),
  }),
  redisCaFile: setting({
    shown: 'none',
    meaning: 'PEM file of the certificates that verify Redis servers',
    ...OPTIONAL_FILE,
  }),
  /** Never logged. */
  redisSentinelPassword: setting<string | undefined>({
    fallback: undefined,
    shown: 'none',
    meaning: "the sentinels' own password",
    expected: 'a password',
    parse: (text) => ({ value: text === '' ? undefined : text }),
  }),
  /** As given, relative or absolute. */
  localDir: setting({
    fallback: './var/local',
    meaning: 'folder of the local copies',
    expected: 'a path',
    names: 'dir',
    parse: (text) => given(text, text !== '' && !text.includes('\0')),
  }),
  host: setting({
    fallback: '0.0.0.0',
    meaning: 'listening address',
    ...ADDRESS,
  }),
  port: setting({
    fallback: 8080,
    meaning: 'listening port; 0 picks a free one and prints it',
    ...integer({ least: 0, most: 65535 }),
  }),
  portShared: setting({
    fallback: 'off',
    meaning: 'on: another instance may listen on the same port, for restarts side by side',
    ...oneOf(['on', 'off']),
  }),
  adminPort: setting<number | undefined>({
    fallback: undefined,
    shown: 'off',
    meaning: 'port of metrics, status and health',
    expected: 'off, or an integer from 0 to 65535',
    parse: (text) =>
      text === 'off' || text === ''
        ? { value: undefined }
        : integer({ least: 0, most: 65535 }).parse(text),
  }),
  adminHost: setting({
    fallback: '127.0.0.1',
    meaning:
      'address of ADMIN_PORT; 0.0.0.0 where Prometheus comes from another machine or container',
    ...ADDRESS,
  }),
  frontProcesses: setting({
    fallback: 1,
    meaning: 'front processes sharing the port',
    ...integer({ least: 1, most: 64 }),
  }),
  workerThreads: setting({
    fallback: Math.min(8, Math.max(1, availableParallelism() - 1)),
    shown: 'cores - 1, from 1 to 8',
    meaning: 'worker threads of each front process',
    ...integer({ least: 1, most: 256 }),
  }),
  maxConnections: setting<number | undefined>({
    fallback: undefined,
    shown: 'by the limit of open files',
    meaning: 'connections of each front process at a time',
    ...integer({ least: 1, most: 1_000_000 }),
  }),
  /** Limit of all fronts together. */
  eventListeners: setting({
    fallback: 10_000,
    meaning: 'clients that listen to events at a time',
    ...integer({ least: 1, most: 1_000_000 }),
  }),
  retiredCopies: setting({
    fallback: 3,
    meaning: 'older copies that a front keeps for slow readers',
    ...integer({ least: 1, most: 64 }),
  }),
  historySnapshots: setting({
    fallback: 144,
    meaning: 'past snapshots whose changes are answered',
    ...integer({ least: 0, most: 1000 }),
  }),
  archive: setting({
    fallback: 'on',
    meaning: 'off: the archive of the store is not served',
    ...oneOf(['on', 'off']),
  }),
  archiveDiskMb: setting({
    fallback: 4096,
    meaning: 'MB of the archive that are kept in LOCAL_DIR, newest months first',
    ...integer({ least: 0, most: 10_000_000 }),
  }),
  pointerPollSeconds: setting({
    fallback: 2,
    meaning: 'seconds between two reads of the pointer; Redis also notifies',
    ...decimal({ least: 0.05, most: 3600 }),
  }),
  storeGraceSeconds: setting({
    fallback: 86400,
    meaning: 'seconds for which the copy is served without the store; 0: none',
    ...decimal({ least: 0, most: 31_536_000 }),
  }),
  /** Without a slash at its end; if undefined, links are made from the request. */
  publicBaseUrl: setting<string | undefined>({
    fallback: undefined,
    shown: 'from the request',
    meaning: 'base of absolute links; if it has a path, that stands before every link',
    expected:
      'an http:// or https:// URL without user, query, fragment and double slashes in its path',
    parse: parseBaseUrl,
  }),
  trustProxy: setting({
    meaning: '1: trust X-Forwarded-Proto, -Host and -For of the nearest proxy',
    choices: ['0', '1'],
    ...OFF_SWITCH,
  }),
  timeZone: setting<string | undefined>({
    fallback: undefined,
    shown: DEFAULT_ZONE,
    meaning:
      'clock of pages, days and months, usually that of the stations; else time_zone of operator.json; with --demo Europe/Madrid',
    expected: `a time zone such as ${DEFAULT_ZONE}`,
    parse: (text) => given(text, isTimeZone(text)),
  }),
  baseMap: setting({
    shown: 'built in',
    meaning: 'GeoJSON file that the map shows under the stations',
    ...OPTIONAL_FILE,
  }),
  logLevel: setting({
    fallback: 'info',
    meaning: 'lowest level of the JSON lines on stdout',
    ...oneOf(LOG_LEVELS),
  }),
  accessLog: setting({
    fallback: 0,
    meaning: 'share of requests that get a line: 1 is all, 0.01 a sample',
    ...decimal({ least: 0, most: 1 }),
  }),
  accessLogAddress: setting({
    meaning: '1: access lines have the address of the client',
    ...OFF_SWITCH,
  }),
};

/** The settings of one process: members in camel case, variables in upper case, flags in kebab-case. */
export type Settings = {
  readonly [Name in keyof typeof TABLE]: (typeof TABLE)[Name] extends Setting<infer T> ? T : never;
};

// `Object.entries` does not know that TABLE has exactly these members.
const ROWS = Object.entries(TABLE) as readonly [keyof Settings, Setting<unknown>][];

/** Each setting as a command's flag: `--flag VALUE`, parsed as member `name`. */
export const SETTING_FLAGS = ROWS.map(([name, row]) => ({
  name,
  variable: variableOf(name),
  flag: flagOf(name),
  meaning: row.meaning,
  shownDefault: row.shown ?? String(row.fallback),
  value: row.names ?? 'value',
  choices: row.choices,
}));

/** All problems of a configuration, in one line. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
  /** One text for each wrong setting: name, value and expectation. */
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('; '));
    this.problems = problems;
  }
}

/** The texts of settings; a flag takes precedence over its variable. */
export interface SettingsSources {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly flags: Readonly<Partial<Record<keyof Settings, string>>>;
}

/**
 * The settings of this process, frozen.
 *
 * An empty variable is an error, except where empty can only mean "off": usually another variable failed to expand
 * in it, and the default could be another instance's namespace.
 *
 * @throws {SettingsError} with all problems.
 */
export function parseSettings({ environment, flags }: SettingsSources): Settings {
  const problems: string[] = [];
  const read = (name: keyof Settings, row: Setting<unknown>): unknown => {
    const variable = variableOf(name);
    const text = flags[name] ?? environment[variable];
    if (text === undefined) return row.fallback;
    const parsed = row.parse(text);
    if (parsed !== undefined) return parsed.value;
    const flag = flags[name] === undefined ? '' : ` (${flagOf(name)})`;
    problems.push(`${variable}${flag} is ${quotedValue(name, text)}: expected ${row.expected}`);
    return row.fallback;
  };
  const settings = Object.fromEntries(
    ROWS.map(([name, row]) => [name, read(name, row)]),
  ) as Settings;
  // Front processes share their port, so each would get some requests of the other port.
  if (settings.port !== 0 && settings.port === settings.adminPort) {
    problems.push(`ADMIN_PORT is "${settings.port}": expected another port than PORT`);
  }
  if (settings.port === 0 && settings.portShared === 'on') {
    problems.push('PORT is "0": expected the port of the other instance with PORT_SHARED=on');
  }
  if (problems.length > 0) throw new SettingsError(problems);
  return Object.freeze(settings);
}

/**
 * Checks LOCAL_DIR before the store is used; may hang with the disk.
 *
 * @throws {SettingsError} if LOCAL_DIR and the store's folder overlap: each instance removes files from LOCAL_DIR.
 */
export function assertApart({ snapshotStore, localDir }: Settings): void {
  const store = parseStoreAddress(snapshotStore);
  if (store?.kind !== 'file' || !overlap(store.root, localDir)) return;
  throw new SettingsError([
    `LOCAL_DIR is ${quotedValue('localDir', localDir)}: expected a folder apart from that of SNAPSHOT_STORE, ` +
      'neither the same, nor within it, nor around it',
  ]);
}

/** Access to the store of the settings, with credentials. */
export function storeAccess(settings: Settings): StoreAccess {
  const { snapshotStore: address, keyPrefix, redisCaFile, redisSentinelPassword } = settings;
  return {
    address,
    keyPrefix,
    ...(redisCaFile === undefined ? {} : { redisCaFile }),
    ...(redisSentinelPassword === undefined ? {} : { redisSentinelPassword }),
  };
}

const MAX_SHOWN = 200;

/** At most 200 characters of a value in quotes, on one line, without credentials. */
function quotedValue(name: keyof Settings, text: string): string {
  const secret = name === 'snapshotStore' || name === 'publicBaseUrl';
  const safe = secret ? addressWithoutCredentials(text) : text;
  return safe.length > MAX_SHOWN
    ? `${JSON.stringify(safe.slice(0, MAX_SHOWN))}... (cut)`
    : JSON.stringify(safe);
}

function variableOf(name: string): string {
  return name.replace(/[A-Z]/g, '_$&').toUpperCase();
}

function flagOf(name: string): string {
  return `--${name.replace(/[A-Z]/g, '-$&').toLowerCase()}`;
}
