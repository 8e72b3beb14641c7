/** Starts the built command as an operator does, and reads all of its output. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as after } from 'node:timers/promises';
import type { Test } from 'tap';
import { publishDocument, type Published } from '../../../src/publishing/publish-document.js';
import type { Pointer } from '../../../src/snapshot/store/pointer.js';
import type { WritableSnapshotStore } from '../../../src/publishing/writable-snapshot-store.js';
import { writeDocument, type PlainDocument } from '../documents/documents.js';
import { startBura } from './command.js';
import { writableStore } from '../stores/open-writable.js';
import { holdPort } from './ports.js';

/** Drawing the whole built-in map would be a large part of the work of a start. */
const SMALL_MAP = resolve('test/fixtures/small-map.json');

/** Longest wait for a line or an end; tests that reach it fail. */
const EVENT_TIMEOUT_MS = 60_000;

/** A JSON line on stdout, as `src/log/log.ts` writes them. */
export interface LogLine {
  readonly level: string;
  readonly part: string;
  readonly pid: number;
  readonly msg: string;
  readonly [name: string]: unknown;
}

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

type Place = Pick<Service, 'root'>;

export interface ServiceOptions {
  /** Added to a small environment; the test's own is not inherited. */
  readonly env?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
  /** Options of Node, also for child processes and threads. */
  readonly nodeArguments?: readonly string[];
  /** A program that starts first and replaces itself by the service, such as `unshare -m`. */
  readonly wrap?: readonly string[];
  /** The directory of an earlier service; default: a new one, removed after the test. */
  readonly root?: string;
  /** Whether to draw the whole built-in map; default: a map of one town. */
  readonly wholeMap?: boolean;
  /** Messages (`msg`) of expected warnings and errors; others fail the test. */
  readonly expect?: readonly string[];
}

export interface Service {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** The directory of `store` and `local`, and the namespace's directories in them. */
  readonly root: string;
  readonly published: string;
  readonly copies: string;
  readonly lines: readonly LogLine[];
  /** Lines of stdout other than JSON. */
  readonly plainLines: readonly string[];
  readonly stderr: () => string;
  readonly ended: Promise<Ended>;
  /** Resolves with the first matching line, from index `from` on, past or future. A text means the line's `msg`. */
  waitForLog(fits: string | ((line: LogLine) => boolean), from?: number): Promise<LogLine>;
  signal(signal: NodeJS.Signals): void;
  stop(): Promise<Ended>;
  kill(): Promise<Ended>;
}

/** Starts `bura serve` on a free port of 127.0.0.1, waits until it listens, and ends it with the test. */
export async function startService(t: Test, options: ServiceOptions = {}): Promise<Service> {
  const root = options.root ?? (await makeRoot(t));
  // The port is reserved over restarts: a service that picks one releases it before its fronts listen.
  const env = { ...options.env, PORT: options.env?.['PORT'] ?? `${await holdPort(t)}` };
  const { child, waitFor, ...running } = runServe(t, { ...options, env, root });
  const { ended, lines, plainLines } = running;
  t.teardown(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  const isAddress = (line: string): boolean => line.startsWith('bura listening');
  const line = await waitFor(() => plainLines.find(isAddress), 'listening line');
  const [, port] = /^bura listening on http:\/\/127\.0\.0\.1:(\d+)$/.exec(line) ?? [];
  if (port === undefined) throw new Error(`not the listening line: ${line}`);
  const end = async (signal: NodeJS.Signals): Promise<Ended> => {
    child.kill(signal);
    return await inTime(ended, `the service to end by ${signal}`);
  };
  return {
    ...running,
    url: `http://127.0.0.1:${port}`,
    port: Number(port),
    pid: child.pid ?? 0,
    root,
    copies: join(root, 'local', 'demo'),
    published: join(root, 'store', 'demo'),
    waitForLog: (fits, from = 0) => {
      const isIt = typeof fits === 'string' ? ({ msg }: LogLine) => msg === fits : fits;
      return waitFor(() => lines.slice(from).find(isIt), `log line with ${fits.toString()}`);
    },
    signal: (signal) => {
      child.kill(signal);
    },
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
  };
}

/** Runs a `bura serve` that must end before it listens. @returns its end and stderr. */
export async function refusedService(
  t: Test,
  options: ServiceOptions = {},
): Promise<Ended & { readonly stderr: string }> {
  const root = options.root ?? (await makeRoot(t));
  const { child, ended, stderr } = runServe(t, { ...options, root });
  t.teardown(() => child.kill('SIGKILL'));
  const end = await inTime(ended, 'the service to end by itself');
  return { ...end, stderr: stderr() };
}

/** Makes a temporary directory with an empty store, removed after the test. */
export async function makeRoot(t: Test): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'bura-test-'));
  // An empty store is not a missing one.
  await mkdir(join(root, 'store'));
  t.teardown(async () => {
    await rm(root, { recursive: true, force: true, maxRetries: 3 });
  });
  return root;
}

export function storeOf(place: Place): WritableSnapshotStore {
  return writableStore({ address: `file:${join(place.root, 'store')}`, keyPrefix: 'demo' });
}

export async function activePointer(place: Place): Promise<Pointer> {
  const reading = await storeOf(place).readPointer();
  if (reading.kind === 'absent') throw new Error('no pointer');
  return reading.pointer;
}

/** Publishes a document to the service's store; activates it by default. */
export async function publish(
  place: Place,
  document: PlainDocument | AsyncIterable<Uint8Array>,
  { activate = true }: { readonly activate?: boolean } = {},
): Promise<Published> {
  const directory = await mkdtemp(join(place.root, 'publish-'));
  try {
    const file = join(directory, 'document.json');
    await writeDocument(file, document);
    return await publishDocument({ store: storeOf(place), file, activate });
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

export async function activate(place: Place, snapshotId: string): Promise<void> {
  await storeOf(place).activate(snapshotId);
}

export async function inTime<T>(
  promise: Promise<T>,
  what: string,
  limitMs = EVENT_TIMEOUT_MS,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new Error(`waited ${limitMs} ms for ${what}`));
    }, limitMs);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Polls a condition that no event reports, such as a message on its way to a front. */
export async function eventually(
  what: string,
  isSo: () => Promise<boolean>,
  limitMs = EVENT_TIMEOUT_MS,
): Promise<void> {
  const deadline = performance.now() + limitMs;
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`it is not so after ${limitMs} ms: ${what}`);
    await after(20);
  }
}

function runServe(t: Test, options: ServiceOptions & Place) {
  const { root, env = {}, args = [], nodeArguments = [], wrap = [], expect = [] } = options;
  const environment = {
    HOST: '127.0.0.1',
    PORT: '0',
    SNAPSHOT_STORE: `file:${join(root, 'store')}`,
    LOCAL_DIR: join(root, 'local'),
    POINTER_POLL_SECONDS: '0.2',
    ...(options.wholeMap !== true && { BASE_MAP: SMALL_MAP }),
    ...env,
  };
  const how = { env: environment, nodeArguments, wrap, directory: root };
  const child = startBura(['serve', ...args], how);
  const lines: LogLine[] = [];
  const plainLines: string[] = [];
  const listeners = new Set<() => void>();
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  createInterface({ input: child.stdout }).on('line', (text) => {
    if (text.startsWith('{')) {
      const line = JSON.parse(text) as LogLine;
      lines.push(line);
      const isTrouble = ['warn', 'error', 'fatal'].includes(line.level);
      if (isTrouble && !expect.includes(line.msg)) t.fail(`unexpected log line: ${text}`);
    } else plainLines.push(text);
    for (const listen of [...listeners]) listen();
  });
  const ended = new Promise<Ended>((settle) => {
    child.once('close', (code, signal) => {
      settle({ code, signal });
    });
  });
  const waitFor = async <T>(find: () => T | undefined, what: string): Promise<T> => {
    let listen = (): void => undefined;
    const found = new Promise<T>((settle, reject) => {
      listen = () => {
        const value = find();
        if (value !== undefined) settle(value);
      };
      void ended.then(({ code }) => {
        reject(new Error(`ended with ${code} before ${what}; stderr: ${stderr}`));
      });
    });
    listeners.add(listen);
    listen();
    try {
      return await inTime(found, what);
    } catch (cause) {
      const said = lines.map((line) => JSON.stringify(line)).join('\n');
      throw new Error(`no ${what}; so far:\n${said}\n${stderr}`, { cause });
    } finally {
      listeners.delete(listen);
    }
  };
  return { child, ended, lines, plainLines, stderr: () => stderr, waitFor };
}
