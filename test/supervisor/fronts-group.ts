/** Front processes that a test starts, observes and counts; a copy for them; and a slow client. */
import { buffer } from 'node:stream/consumers';
import { pino } from 'pino';
import type { Test } from 'tap';
import type { FrontSettings } from '../../src/ipc/front-messages.js';
import { parseSettings } from '../../src/settings.js';
import type { ActiveState } from '../../src/snapshot/domain/active-state.js';
import { Fronts } from '../../src/supervisor/fronts.js';
import { RecentFailures } from '../../src/supervisor/operators/recent-failures.js';
import { claimPort } from '../../src/supervisor/port.js';
import { importSnapshot } from '../../src/supervisor/importer.js';
import { generateDocument } from '../support/documents/documents.js';
import { frontsOf } from '../support/faults/process-figures.js';
import { beginAnswer } from '../support/service/requests.js';
import { samplesOf, type Samples } from '../support/service/scrape.js';
import { inTime } from '../support/service/service.js';
import { PATIENT, requestFor } from './import-request.js';

const HOST = '127.0.0.1';

/** Some 40,000 records, 13 MB as a stream: more than the kernel buffers for a client, which is some 5 MB at times. */
const LARGE = { stations: 16, components: 4, hours: 640, snapshotId: 'large' };
export const STREAM = '/api/v1/observations/stream';

export type ImportedCopy = Extract<ActiveState, { readonly kind: 'snapshot' }>;
export type Started = Awaited<ReturnType<typeof startFronts>>;
type Line = Readonly<Record<string, unknown>>;

export async function countedBy(fronts: Fronts): Promise<Samples> {
  return samplesOf(await fronts.renderCounters());
}

/** Starts fronts for one test; `calls` counts those of `poll` (`released`) and of `reverify` (`trouble`). */
export async function startFronts(
  t: Test,
  processes: number,
  changed: Partial<FrontSettings> = {},
) {
  const lines: Line[] = [];
  const untaken: Line[] = [];
  let listen = (): void => undefined;
  const write = (text: string): void => {
    const line = JSON.parse(text) as Line;
    lines.push(line);
    untaken.push(line);
    listen();
  };
  const calls = { released: 0, trouble: 0 };
  const port = await claimPort({ host: HOST, port: 0, portShared: 'off' });
  const before = await frontsOf(process);
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
    ...changed,
  };
  const fronts = await Fronts.start({
    settings,
    processes,
    log: pino({}, { write }),
    failures: new RecentFailures(),
    following: {
      poll: () => (calls.released += 1),
      reverify: () => (calls.trouble += 1),
      reverifyHistory: () => undefined,
      reverifyArchive: () => undefined,
    },
  });
  t.teardown(async () => {
    fronts.kill();
    await fronts.drain(0);
  });
  /** Resolves with the next line with this message that no call has returned yet. */
  const next = async (msg: string): Promise<Line> => {
    const found = new Promise<Line>((resolve) => {
      listen = () => {
        const index = untaken.findIndex((line) => line['msg'] === msg);
        const [line] = index < 0 ? [] : untaken.splice(index, 1);
        if (line === undefined) return;
        listen = () => undefined;
        resolve(line);
      };
      listen();
    });
    return await inTime(found, `the line "${msg}"; so far ${JSON.stringify(lines)}`);
  };
  /** Process ids of the living fronts, without those of concurrent tests. */
  const pids = async () => (await frontsOf(process)).filter((pid) => !before.includes(pid));
  return { fronts, port, calls, pids, next };
}

export async function importedCopy(t: Test): Promise<ImportedCopy> {
  const request = await requestFor(t, generateDocument(LARGE));
  const { directory } = await importSnapshot(request, PATIENT);
  return { kind: 'snapshot', snapshotId: 'large', directory, build: request.build };
}

/** A client that has begun to read a stream, and continues on request. */
export async function beginToRead(port: number) {
  const answer = await beginAnswer({ port }, STREAM);
  return {
    leave: () => answer.destroy(),
    /** The whole body, or undefined where the connection ends early. */
    rest: async (): Promise<Buffer | undefined> => {
      const body = buffer(answer).catch(() => undefined);
      return await inTime(body, 'the rest of a body');
    },
  };
}
