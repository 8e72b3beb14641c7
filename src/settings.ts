/** Reads the settings of a process from its environment and flags: one frozen `Settings`, or every problem at once. */
import { availableParallelism } from 'node:os';
import { isIP } from 'node:net';
import { LANGUAGES, type Language } from './snapshot/domain/model.js';
import { overlap } from './snapshot/store/overlap.js';
import {
  addressWithoutCredentials,
  isKeyPrefix,
  parseStoreAddress,
  STORE_ADDRESS_FORM,
} from './snapshot/store/address.js';
import type { StoreAccess } from './snapshot/store/open.js';

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
type LogLevel = (typeof LOG_LEVELS)[number];

interface Setting<T> {
  readonly variable: string;
  readonly fallback: T;
  /** The default as help shows it. */
  readonly shown: string;
  readonly meaning: string;
  /** What a value must be: the end of the message about one that is not. */
  readonly expected: string;
  /** All values that there are, where they are few. */
  readonly choices?: readonly string[];
  /** What the value names, for help and for shells that complete it. */
  readonly names?: 'dir' | 'file';
  /** The exact value as `{ value }`, because undefined can be one; undefined where the text is not acceptable. */
  parse(text: string): { readonly value: T } | undefined;
}

/** A row of the table, with the type of its values. */
function setting<T>(row: Setting<T>): Setting<T> {
  return row;
}

/** The one table from which `Settings`, parsing, flags, help and the README's table are made. */
const TABLE = {
  keyPrefix: setting({
    variable: 'KEY_PREFIX',
    fallback: 'demo',
    shown: 'demo',
    meaning: 'namespace of the organization in the store',
    expected: '1 to 64 of A-Z a-z 0-9 . _ - (not . or ..)',
    parse: (text) => given(text, isKeyPrefix(text)),
  }),
  expectedSchemaVersion: setting({
    variable: 'EXPECTED_SCHEMA_VERSION',
    fallback: '1.2.0',
    shown: '1.2.0',
    meaning: 'the one snapshot schema version that is accepted',
    expected: 'a version of three numbers such as 1.2.0',
    parse: (text) => given(text, /^\d{1,4}\.\d{1,4}\.\d{1,4}$/.test(text)),
  }),
  defaultLanguage: setting<Language>({
    variable: 'DEFAULT_LANGUAGE',
    fallback: 'sr-Latn',
    shown: 'sr-Latn',
    meaning: 'language of pages where a request names none',
    ...oneOf(LANGUAGES),
  }),
  /** The address may hold credentials, so it is never logged. */
  snapshotStore: setting({
    variable: 'SNAPSHOT_STORE',
    fallback: 'file:./var/store',
    shown: 'file:./var/store',
    meaning: 'file:PATH, a Redis URL, or a read-only http(s):// URL',
    expected: STORE_ADDRESS_FORM,
    parse: (text) => given(text, parseStoreAddress(text) !== undefined),
  }),
  redisCaFile: setting<string | undefined>({
    variable: 'REDIS_CA_FILE',
    fallback: undefined,
    shown: 'none',
    meaning: 'file of certificates (PEM) that Redis servers are verified by',
    expected: 'a path',
    names: 'file',
    parse: parseOptionalPath,
  }),
  /** Never logged. */
  redisSentinelPassword: setting<string | undefined>({
    variable: 'REDIS_SENTINEL_PASSWORD',
    fallback: undefined,
    shown: 'none',
    meaning: "the sentinels' own password",
    expected: 'a password',
    parse: (text) => ({ value: text === '' ? undefined : text }),
  }),
  /** The path as it was given: relative to the working directory, or absolute. */
  localDir: setting({
    variable: 'LOCAL_DIR',
    fallback: './var/local',
    shown: './var/local',
    meaning: 'folder of the local copies',
    expected: 'a path',
    names: 'dir',
    parse: (text) => given(text, text !== '' && !text.includes('\0')),
  }),
  host: setting({
    variable: 'HOST',
    fallback: '0.0.0.0',
    shown: '0.0.0.0',
    meaning: 'listening address',
    expected: 'an IP address or a host name',
    parse: (text) => given(text, isIP(text) !== 0 || isHostName(text)),
  }),
  port: setting({
    variable: 'PORT',
    fallback: 8080,
    shown: '8080',
    meaning: 'listening port; 0 picks a free one and prints it',
    ...integer({ least: 0, most: 65535 }),
  }),
  adminPort: setting<number | undefined>({
    variable: 'ADMIN_PORT',
    fallback: undefined,
    shown: 'off',
    meaning: 'port of the Prometheus metrics on 127.0.0.1',
    expected: 'off, or an integer from 0 to 65535',
    parse: (text) =>
      text === 'off' || text === ''
        ? { value: undefined }
        : integer({ least: 0, most: 65535 }).parse(text),
  }),
  frontProcesses: setting({
    variable: 'FRONT_PROCESSES',
    fallback: 1,
    shown: '1',
    meaning: 'front processes sharing the port',
    ...integer({ least: 1, most: 64 }),
  }),
  workerThreads: setting({
    variable: 'WORKER_THREADS',
    fallback: Math.max(1, availableParallelism() - 1),
    shown: 'cores - 1, at least 1',
    meaning: 'worker threads of each front process',
    ...integer({ least: 1, most: 256 }),
  }),
  maxConnections: setting<number | undefined>({
    variable: 'MAX_CONNECTIONS',
    fallback: undefined,
    shown: 'what open files allow',
    meaning: 'connections of each front process at a time',
    ...integer({ least: 1, most: 1_000_000 }),
  }),
  /** Of all front processes together. */
  eventListeners: setting({
    variable: 'EVENT_LISTENERS',
    fallback: 10_000,
    shown: '10000',
    meaning: 'clients that listen to events at a time',
    ...integer({ least: 1, most: 1_000_000 }),
  }),
  retiredCopies: setting({
    variable: 'RETIRED_COPIES',
    fallback: 3,
    shown: '3',
    meaning: 'older copies that a front keeps for slow readers',
    ...integer({ least: 1, most: 64 }),
  }),
  historySnapshots: setting({
    variable: 'HISTORY_SNAPSHOTS',
    fallback: 144,
    shown: '144',
    meaning: 'past snapshots whose changes are answered',
    ...integer({ least: 0, most: 1000 }),
  }),
  pointerPollSeconds: setting({
    variable: 'POINTER_POLL_SECONDS',
    fallback: 2,
    shown: '2',
    meaning: 'seconds between two looks at the pointer; Redis also notifies',
    ...decimal({ least: 0.05, most: 3600 }),
  }),
  storeGraceSeconds: setting({
    variable: 'STORE_GRACE_SECONDS',
    fallback: 86400,
    shown: '86400',
    meaning: 'seconds to serve on without the store; 0: not at all',
    ...decimal({ least: 0, most: 31_536_000 }),
  }),
  /** The URL without a slash at its end; undefined means that links are made from the request. */
  publicBaseUrl: setting<string | undefined>({
    variable: 'PUBLIC_BASE_URL',
    fallback: undefined,
    shown: 'from the request',
    meaning: 'base of absolute links',
    expected: 'an http:// or https:// URL without user, query and fragment',
    parse: parseBaseUrl,
  }),
  trustProxy: setting({
    variable: 'TRUST_PROXY',
    fallback: false,
    shown: '0',
    meaning: '1: believe X-Forwarded-Proto, -Host and -For',
    expected: '1 or 0',
    choices: ['0', '1'],
    parse: parseSwitch,
  }),
  timeZone: setting({
    variable: 'TIME_ZONE',
    fallback: 'Europe/Belgrade',
    shown: 'Europe/Belgrade',
    meaning: 'time zone of pages; scripts show that of the viewer',
    expected: 'a time zone such as Europe/Belgrade',
    parse: (text) => given(text, isTimeZone(text)),
  }),
  baseMap: setting<string | undefined>({
    variable: 'BASE_MAP',
    fallback: undefined,
    shown: 'built in',
    meaning: 'GeoJSON file that the map shows under the stations',
    expected: 'a path',
    names: 'file',
    parse: parseOptionalPath,
  }),
  logLevel: setting<LogLevel>({
    variable: 'LOG_LEVEL',
    fallback: 'info',
    shown: 'info',
    meaning: 'lowest level of the JSON lines on stdout',
    ...oneOf(LOG_LEVELS),
  }),
  accessLog: setting({
    variable: 'ACCESS_LOG',
    fallback: 0,
    shown: '0',
    meaning: 'share of requests that get a line: 1 is all, 0.01 a sample',
    ...decimal({ least: 0, most: 1 }),
  }),
  accessLogAddress: setting({
    variable: 'ACCESS_LOG_ADDRESS',
    fallback: false,
    shown: '0',
    meaning: '1: access lines have the address of the client',
    expected: '1 or 0',
    parse: parseSwitch,
  }),
};

/** The settings of one process. Each member has the name of its variable in camel case; its flag is in kebab-case. */
export type Settings = {
  readonly [Name in keyof typeof TABLE]: (typeof TABLE)[Name] extends Setting<infer T> ? T : never;
};

/** One setting as a command offers it: `--flag VALUE`, which becomes member `name` of the parsed flags. */
export interface SettingFlag {
  readonly name: keyof Settings;
  readonly variable: string;
  readonly flag: string;
  readonly meaning: string;
  readonly shownDefault: string;
  /** What help shows for the value: `dir` and `file` are paths. */
  readonly value: 'dir' | 'file' | 'value';
  readonly choices: readonly string[] | undefined;
}

export const SETTING_FLAGS: readonly SettingFlag[] = settingNames().map((name) => ({
  name,
  variable: TABLE[name].variable,
  flag: flagOf(TABLE[name].variable),
  meaning: TABLE[name].meaning,
  shownDefault: TABLE[name].shown,
  value: TABLE[name].names ?? 'value',
  choices: TABLE[name].choices,
}));

/** All problems of a configuration; the message is one line. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
  /** One text for each setting that is wrong: its name, its value and what was expected. */
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('; '));
    this.problems = problems;
  }
}

/** The texts of settings, by variable and by member; a flag comes before its variable. */
export interface SettingsSources {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly flags: Readonly<Partial<Record<keyof Settings, string>>>;
}

/**
 * The settings of this process, frozen.
 *
 * A variable that is set but empty is a problem, except where empty can only mean "off". Mostly it failed to
 * expand, and the default would then be somebody else's namespace.
 *
 * @throws {SettingsError} with all problems.
 */
export function parseSettings({ environment, flags }: SettingsSources): Settings {
  const problems: string[] = [];
  const read = (name: keyof Settings): unknown => {
    const row: Setting<unknown> = TABLE[name];
    const text = flags[name] ?? environment[row.variable];
    if (text === undefined) return row.fallback;
    const parsed = row.parse(text);
    if (parsed !== undefined) return parsed.value;
    const flag = flags[name] === undefined ? '' : ` (${flagOf(row.variable)})`;
    problems.push(`${row.variable}${flag} is ${shown(name, text)}: expected ${row.expected}`);
    return row.fallback;
  };
  // What is read for each name has the type that its setting gives.
  const settings = Object.fromEntries(settingNames().map((name) => [name, read(name)])) as Settings;
  // Front processes share their port, so both could listen, and each would get some of the other's requests.
  if (settings.port !== 0 && settings.port === settings.adminPort) {
    problems.push(`ADMIN_PORT is "${settings.port}": expected another port than PORT`);
  }
  if (problems.length > 0) throw new SettingsError(problems);
  return Object.freeze(settings);
}

/**
 * To be called by whatever reads or writes the store; it looks at the store's folder, whose disk may hang.
 *
 * @throws {SettingsError} where the local copies and the store's documents lie one within the other: each instance
 *   removes from LOCAL_DIR what it no longer needs.
 */
export function assertApart({ snapshotStore, localDir }: Settings): void {
  const store = parseStoreAddress(snapshotStore);
  if (store?.kind !== 'file' || !overlap(store.root, localDir)) return;
  throw new SettingsError([
    `LOCAL_DIR is ${shown('localDir', localDir)}: expected a folder apart from that of SNAPSHOT_STORE, ` +
      'neither the same, nor within it, nor around it',
  ]);
}

/** What the store of the settings is reached by, with credentials. */
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

/** The first 200 characters of a value in quotes, on one line, without credentials. */
function shown(name: keyof Settings, text: string): string {
  const secret = name === 'snapshotStore' || name === 'publicBaseUrl';
  const safe = secret ? addressWithoutCredentials(text) : text;
  return safe.length > MAX_SHOWN
    ? `${JSON.stringify(safe.slice(0, MAX_SHOWN))}... (cut)`
    : JSON.stringify(safe);
}

function flagOf(variable: string): string {
  return `--${variable.toLowerCase().replaceAll('_', '-')}`;
}

function settingNames(): readonly (keyof Settings)[] {
  // TABLE is declared to have exactly these members, which Object.keys does not know.
  return Object.keys(TABLE).filter((name): name is keyof Settings => name in TABLE);
}

function given(text: string, valid: boolean): { readonly value: string } | undefined {
  return valid ? { value: text } : undefined;
}

interface Bounds {
  readonly least: number;
  readonly most: number;
}

function integer({ least, most }: Bounds) {
  return {
    expected: `an integer from ${least} to ${most}`,
    parse: (text: string) => bounded(text, /^\d{1,9}$/, { least, most }),
  };
}

function decimal({ least, most }: Bounds) {
  return {
    expected: `a number from ${least} to ${most}`,
    parse: (text: string) => bounded(text, /^\d{1,9}(?:\.\d{1,9})?$/, { least, most }),
  };
}

function bounded(text: string, form: RegExp, { least, most }: Bounds) {
  const value = form.test(text) ? Number(text) : NaN;
  return value >= least && value <= most ? { value } : undefined;
}

function oneOf<T extends string>(values: readonly T[]) {
  return {
    expected: `one of ${values.join(', ')}`,
    choices: values,
    parse: (text: string) => {
      const value = values.find((candidate) => candidate === text);
      return value === undefined ? undefined : { value };
    },
  };
}

function isTimeZone(text: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** A host name by RFC 1123 §2.1. */
function isHostName(text: string): boolean {
  const label = /^(?!-)[A-Za-z0-9-]{1,63}(?<!-)$/;
  // A last label of digits makes an IPv4 address, and `isIP` has refused this text as one.
  return (
    text.length <= 253 &&
    !/(?:^|\.)\d+$/.test(text) &&
    text.split('.').every((part) => label.test(part))
  );
}

function parseBaseUrl(text: string): { readonly value: string | undefined } | undefined {
  if (text === '') return { value: undefined };
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (url.username !== '' || url.password !== '' || /[?#]/.test(text)) return undefined;
  return { value: url.href.replace(/\/+$/, '') };
}

function parseOptionalPath(text: string): { readonly value: string | undefined } | undefined {
  return text.includes('\0') ? undefined : { value: text === '' ? undefined : text };
}

function parseSwitch(text: string): { readonly value: boolean } | undefined {
  const lower = text.toLowerCase();
  if (lower === '1' || lower === 'true') return { value: true };
  return lower === '0' || lower === 'false' ? { value: false } : undefined;
}
