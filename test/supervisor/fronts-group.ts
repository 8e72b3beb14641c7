/** Front processes that a test starts, observes and counts; a copy for them; and a slow client. */
import { mkdir } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { pino } from 'pino';
import type { Test } from 'tap';
import type { FrontSettings } from '../../src/ipc/front-messages.js';
import { parseSettings } from '../../src/settings.js';
import type { ActiveState } from '../../src/snapshot/domain/active-state.js';
import { Fronts, type FrontsOptions } from '../../src/supervisor/fronts.js';
import { RecentFailures } from '../../src/supervisor/operators/recent-failures.js';
import { claimPort } from '../../src/supervisor/port.js';
import { importSnapshot } from '../../src/supervisor/importer.js';
import { generateDocument } from '../support/documents/documents.js';
import { frontsOf } from '../support/faults/process-figures.js';
import { beginAnswer } from '../support/service/requests.js';
import { samplesOf, type Samples } from '../support/service/scrape.js';
import { activePointer, inTime, makeRoot, publish } from '../support/service/service.js';

const HOST = '127.0.0.1';
const BUILD = '0123abcd';

/** Some 15,000 records, 4.9 MB as a stream: more than the kernel buffers for a client. */
const LARGE = { stations: 8, components: 3, hours: 640, snapshotId: 'large' };
export const STREAM = '/api/v1/observations/stream';

export type ImportedCopy = Extract<ActiveState, { readonly kind: 'snapshot' }>;
/** Fronts of one test, and their log lines. */
export interface Started {
  readonly fronts: Fronts;
  readonly port: number;
  readonly lines: readonly Line[];
  /** Resolves with the next line with this message that no call has returned yet. */
  readonly next: (msg: string) => Promise<Line>;
  /** Numbers of calls of `poll` (`released`) and of `reverify` (`trouble`). */
  readonly calls: { released: number; trouble: number };
  /** Process ids of the living fronts. */
  readonly pids: () => Promise<readonly number[]>;
}

type Line = Readonly<Record<string, unknown>>;

export async function countedBy(fronts: Fronts): Promise<Samples> {
  return samplesOf(await fronts.renderCounters());
}

/** Starts fronts for one test; `pids` leaves out those of concurrent tests. */
export async function startFronts(
  t: Test,
  processes: number,
  changed: Partial<FrontSettings> = {},
): Promise<Started> {
  const lines: Line[] = [];
  const untaken: Line[] = [];
  const listeners = new Set<() => void>();
  const write = (text: string): void => {
    const line = JSON.parse(text) as Line;
    lines.push(line);
    untaken.push(line);
    for (const listen of [...listeners]) listen();
  };
  const log = pino({}, { write });
  const calls = { released: 0, trouble: 0 };
  const port = await claimPort({ host: HOST, port: 0, portShared: 'off' });
  const before = await frontPids();
  const options = optionsFor(port);
  const fronts = await Fronts.start({
    ...options,
    settings: { ...options.settings, ...changed },
    processes,
    log,
    following: {
      ...options.following,
      poll: () => {
        calls.released += 1;
      },
      reverify: () => {
        calls.trouble += 1;
      },
    },
  });
  t.teardown(async () => {
    fronts.kill();
    await fronts.drain(0);
  });
  return {
    fronts,
    port,
    lines,
    calls,
    pids: async () => (await frontPids()).filter((pid) => !before.includes(pid)),
    next: async (msg) => {
      let listen = (): void => undefined;
      const found = new Promise<Line>((resolve) => {
        listen = () => {
          const index = untaken.findIndex((line) => line['msg'] === msg);
          const line = untaken[index];
          if (line === undefined) return;
          untaken.splice(index, 1);
          listeners.delete(listen);
          resolve(line);
        };
        listeners.add(listen);
        listen();
      });
      return await inTime(found, `the line "${msg}"; so far ${JSON.stringify(lines)}`);
    },
  };
}

function optionsFor(port: number): FrontsOptions {
  const settings: FrontSettings = {
    ...parseSettings({ environment: {}, flags: {} }),
    host: HOST,
    port,
    logLevel: 'fatal',
    workerThreads: 1,
    largeBodiesMax: 8,
    fileBodiesMax: 8,
    listenersMax: 8,
    connectionsMax: 100,
  };
  return {
    settings,
    processes: 1,
    log: pino({ level: 'silent' }),
    failures: new RecentFailures(),
    following: {
      poll: () => undefined,
      reverify: () => undefined,
      reverifyHistory: () => undefined,
      reverifyArchive: () => undefined,
    },
  };
}

/** Process ids of all fronts that this process has started. */
const frontPids = (): Promise<readonly number[]> => frontsOf(process);

/** Publishes and imports the document `large`. */
export async function importedCopy(t: Test): Promise<ImportedCopy> {
  const root = await makeRoot(t);
  await publish({ root }, generateDocument(LARGE));
  await mkdir(join(root, 'local'));
  const imported = await importSnapshot(
    {
      store: { address: `file:${join(root, 'store')}`, keyPrefix: 'demo' },
      pointer: await activePointer({ root }),
      expectedSchemaVersion: '1.2.0',
      build: BUILD,
      directory: join(root, 'local'),
      threads: 2,
    },
    { deadlineMs: 60_000, signal: new AbortController().signal },
  );
  return { kind: 'snapshot', snapshotId: 'large', directory: imported.directory, build: BUILD };
}

/** A client that has begun to read a stream, and continues on request. */
export class SlowReader {
  readonly #answer: IncomingMessage;

  private constructor(answer: IncomingMessage) {
    this.#answer = answer;
  }

  static async begin(port: number): Promise<SlowReader> {
    return new SlowReader(await beginAnswer({ port }, STREAM));
  }

  leave(): void {
    this.#answer.destroy();
  }

  /** The whole body, or undefined where the connection ends early. */
  async rest(): Promise<Buffer | undefined> {
    const body = buffer(this.#answer).catch(() => undefined);
    return await inTime(body, 'the rest of a body');
  }
}
