/**
 * The life of snapshots: published, activated again, removed, pruned and archived by the command line, in any order. After
 * each operation the service must answer from the active snapshot, know the right history, and serve the right archive.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Test } from 'tap';
import { writeDocument } from '../support/documents/documents.js';
import { runBura } from '../support/service/command.js';
import { get } from '../support/service/requests.js';
import { eventually } from '../support/service/service.js';
import { ArchiveOracle } from './archive-oracle.js';
import { Chance } from './chance.js';
import { documentOf, HOUR_MS, laterNetwork, makeNetwork, textOf, type Network } from './network.js';
import { Oracle } from './oracle.js';
import { makePage } from './page-request.js';
import { makeRequest, PairwiseChoices } from './request.js';
import { Session } from './session.js';

/** A command about one network of a life (`prune`: how many to keep), and the seed of the requests after it. */
interface Operation {
  readonly command: 'publish' | 'activate' | 'remove' | 'prune' | 'archive';
  readonly at: number;
  readonly seed: number;
}

/** Networks of one operator, each later than the one before; the first is active at the beginning. */
export interface Life {
  readonly networks: readonly Network[];
  readonly operations: readonly Operation[];
}

const COMMANDS = ['publish', 'publish', 'activate', 'remove', 'prune', 'archive'] as const;
const HISTORY = 2;
const NETWORKS = 6;
const OPERATIONS = 14;
const REQUESTS = 12;
const ROWS_MAX = 2000;
const SETTLE_MS = 60_000;

/** Findings that random data have. */
const ALLOWED = [
  'future',
  'alone',
  'sentinels',
  'negative',
  'place',
  'drop',
  'jump',
  'moved',
  'unlocated',
  'unit',
].flatMap((name) => ['--allow', name]);

export function makeLife(chance: Chance): Life {
  let network = makeNetwork(chance);
  while (network.measurements.length > ROWS_MAX) network = makeNetwork(chance);
  const networks = [network];
  while (networks.length < NETWORKS) {
    network = nextNetwork(chance, network);
    networks.push(network);
  }
  let published = 0;
  const operations = Array.from({ length: OPERATIONS }, (): Operation => {
    const command = chance.pick(COMMANDS);
    const seed = chance.integer(0, 2 ** 31);
    if (command === 'prune') return { command, at: chance.integer(0, 3), seed };
    const isNew = command === 'publish' && chance.is(0.7) && published < NETWORKS - 1;
    if (isNew) published += 1;
    return { command, at: isNew ? published : chance.integer(0, published), seed };
  });
  return { networks, operations };
}

/** A later network that has measured since. */
function nextNetwork(chance: Chance, network: Network): Network {
  const later = laterNetwork(chance, network);
  const movedMs = Date.parse(later.generated_at) - Date.parse(network.generated_at);
  const startOf = ({ date, time }: Network['measurements'][number]): number =>
    Date.parse(`${textOf(date)}T${textOf(time)}Z`);
  const keyOf = (row: Network['measurements'][number]): string =>
    JSON.stringify([row['station_id'], row['component_id'], startOf(row)]);
  const known = new Set(later.measurements.map(keyOf));
  const moved = network.measurements
    .filter((row) => startOf(row) >= Date.parse(network.generated_at) - 48 * HOUR_MS)
    .map((row) => {
      const text = new Date(startOf(row) + movedMs).toISOString();
      return { ...row, date: text.slice(0, 10), time: text.slice(11, 16) };
    });
  const added = moved.filter((row) => !known.has(keyOf(row)));
  return { ...later, measurements: [...later.measurements, ...added] };
}

/** Lives through all operations. @returns the first difference; undefined where all is right. */
export async function live(t: Test, life: Life): Promise<string | undefined> {
  const [first] = life.networks;
  if (first === undefined) throw new TypeError('no network');
  const env = { POINTER_POLL_SECONDS: '0.05', HISTORY_SNAPSHOTS: `${HISTORY}` };
  const session = await Session.open(t, { first: documentOf(first, idOf(0)), env });
  const oracles: Oracle[] = [];
  for (const [at, network] of life.networks.entries()) {
    const of = { network, schema: `life${at}`, folder: session.service.root };
    oracles.push(await Oracle.open(session.instance, of));
  }
  const lived = new Lived(session, oracles);
  let problem: string | undefined;
  for (const [number, operation] of life.operations.entries()) {
    const wrong = await lived.operate(operation);
    problem = wrong && `operation ${number}, ${operation.command} ${operation.at}: ${wrong}`;
    if (problem !== undefined) break;
  }
  await session.service.stop();
  return problem;
}

function idOf(at: number): string {
  return `life-${at}`;
}

/** The expected state of store and service, as indexes of networks. */
class Lived {
  readonly #session: Session;
  readonly #oracles: readonly Oracle[];
  readonly #archive = new ArchiveOracle();
  /** In the order in which they were stored. */
  #stored: readonly number[] = [0];
  /** Most recently served first; the first one is active. */
  #served: readonly number[] = [0];
  /** Removed and pruned ones. */
  readonly #gone = new Set<number>();

  constructor(session: Session, oracles: readonly Oracle[]) {
    this.#session = session;
    this.#oracles = oracles;
  }

  async operate({ command, at, seed }: Operation): Promise<string | undefined> {
    const isDone = await this.#expectDone({ command, at });
    const { code, stderr } = await this.#run(command, at);
    if (code !== (isDone ? 0 : 1)) return `exit code ${code}: ${stderr}`;
    return (await this.#checkState()) ?? (await this.#askAll(new Chance(seed)));
  }

  /** Follows a command. @returns whether it can be done. */
  async #expectDone({ command, at }: Omit<Operation, 'seed'>): Promise<boolean> {
    const isStored = this.#stored.includes(at);
    const active = this.#served[0];
    switch (command) {
      case 'publish':
        if (this.#gone.has(at)) return false;
        if (!isStored) this.#stored = [...this.#stored, at];
        this.#activate(at);
        return true;
      case 'activate':
        if (isStored) this.#activate(at);
        return isStored;
      case 'remove':
        // A pruned one can be removed too: from the history of instances.
        if (at === active || !(isStored || this.#gone.has(at))) return false;
        this.#forget([at]);
        this.#served = this.#served.filter((one) => one !== at);
        return true;
      case 'prune': {
        const newest = at === 0 ? [] : this.#stored.slice(-at);
        this.#forget(this.#stored.filter((one) => one !== active && !newest.includes(one)));
        return true;
      }
      case 'archive': {
        const oracle = this.#oracles[at];
        return isStored && oracle !== undefined && (await this.#archive.merge(oracle));
      }
    }
  }

  #activate(at: number): void {
    const before = this.#served.filter((one) => one !== at);
    this.#served = [at, ...before].slice(0, HISTORY + 1);
  }

  #forget(list: readonly number[]): void {
    this.#stored = this.#stored.filter((one) => !list.includes(one));
    for (const at of list) this.#gone.add(at);
  }

  async #run(command: Operation['command'], at: number): ReturnType<typeof runBura> {
    const { root } = this.#session.service;
    const env = { SNAPSHOT_STORE: `file:${join(root, 'store')}`, LOCAL_DIR: join(root, 'local') };
    switch (command) {
      case 'publish': {
        const file = join(root, 'document.json');
        const network = this.#oracles[at]?.network;
        if (network === undefined) throw new TypeError('no such network');
        await writeDocument(file, documentOf(network, idOf(at)));
        return await runBura([command, file, ...ALLOWED], { env });
      }
      case 'prune':
        return await runBura([command, '--keep', `${at}`], { env });
      case 'archive':
        return await runBura([command, idOf(at), ...ALLOWED], { env });
      default:
        return await runBura([command, idOf(at)], { env });
    }
  }

  /** History, refusals of what is not in it, and archive. */
  async #checkState(): Promise<string | undefined> {
    const { service } = this.#session;
    const want = this.#served.map((at) => [idOf(at), at === this.#served[0]]).toSorted();
    const history = async (): Promise<unknown> => {
      const { body } = await get(service, '/api/v1/snapshots');
      const list = JSON.parse(body.toString()) as readonly Readonly<Record<string, unknown>>[];
      return list.map((one) => [one['snapshot_id'], one['active']]).toSorted();
    };
    const wrong = await settled('history', history, want);
    if (wrong !== undefined) return wrong;
    for (const at of this.#oracles.keys()) {
      const { status } = await get(service, `/api/v1/changes?since=${idOf(at)}`);
      const expected = this.#served.includes(at) ? 200 : 410;
      if (status !== expected)
        return `changes since ${idOf(at)}: status ${status}, not ${expected}`;
    }
    return await this.#checkArchive();
  }

  async #checkArchive(): Promise<string | undefined> {
    const { service } = this.#session;
    const active = this.#oracles[this.#served[0] ?? 0];
    if (active === undefined || !this.#archive.isThere) return undefined;
    const want = await this.#archive.months(active);
    const listed = async () => {
      const { body, status } = await get(service, '/api/v1/archive');
      const { files = [] } = JSON.parse(body.toString()) as {
        readonly files?: readonly {
          readonly path: string;
          readonly rows: number;
          readonly download_url: string;
        }[];
      };
      const months = files.filter(({ path }) => path.startsWith('observations/'));
      return { status, months };
    };
    const counts = async (): Promise<unknown> =>
      (await listed()).months.map(({ path, rows }) => [path.replace(/\/[^/]*$/, ''), rows]);
    const wrong = await settled('archive', counts, want);
    if (wrong !== undefined) return wrong;
    for (const { path, download_url: url } of (await listed()).months) {
      const { body, status } = await get(service, url);
      if (status !== 200) return `${url}: status ${status}`;
      const file = join(service.root, 'month.parquet');
      await writeFile(file, body);
      const problem = await this.#archive.difference(active, path, file);
      if (problem !== undefined) return `${path}: ${problem}`;
    }
    return undefined;
  }

  async #askAll(chance: Chance): Promise<string | undefined> {
    const choices = new PairwiseChoices();
    const [active = 0] = this.#served;
    for (let count = 0; count < REQUESTS; count += 1) {
      const pair = [chance.pick(this.#served), active].flatMap((at) => {
        const oracle = this.#oracles[at];
        return oracle === undefined ? [] : { id: idOf(at), oracle };
      });
      const network = pair[1]?.oracle.network;
      if (network === undefined) throw new TypeError('nothing is served');
      this.#session.expect(pair);
      const asked = chance.is(0.2)
        ? makePage(chance, network)
        : makeRequest(chance, network, choices.next(chance));
      // With an archive there may be such a page, whose figures are not compared.
      if ('page' in asked && asked.page === 'years') continue;
      const wrong = await this.#session.ask(asked);
      if (wrong !== undefined) return `${asked.path} of ${pair[0]?.id}, ${pair[1]?.id}: ${wrong}`;
    }
    return undefined;
  }
}

/** Waits until an answer is the expected one. @returns the last answer where it never is. */
async function settled(
  what: string,
  answer: () => Promise<unknown>,
  want: unknown,
): Promise<string | undefined> {
  let got: unknown;
  try {
    await eventually(what, async () => isDeepStrictEqual((got = await answer()), want), SETTLE_MS);
    return undefined;
  } catch {
    return `${what}: ${JSON.stringify(got)}, expected ${JSON.stringify(want)}`;
  }
}
