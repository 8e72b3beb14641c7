/** A service, the oracle beside it, and a sequence of networks and requests. */
import { DuckDBInstance } from '@duckdb/node-api';
import type { Test } from 'tap';
import { asker, type Ask } from '../support/service/connection.js';
import { publishAndServe, startServing } from '../support/service/serve-documents.js';
import { activePointer, type Service } from '../support/service/service.js';
import { keepCase, shrunk } from './cases.js';
import { Chance } from './chance.js';
import { difference } from './compare.js';
import { isForm } from './endpoints.js';
import { Figures } from './figures.js';
import { askWhole, exchangeProblem } from './http-exchange.js';
import { documentOf, laterNetwork, makeNetwork, perhapsLarge, type Network } from './network.js';
import { ogcProblem } from './ogc.js';
import { makeOgc, type OgcAsked } from './ogc-request.js';
import { Oracle, type Expected } from './oracle.js';
import { varied } from './other-requests.js';
import { makePage, type PageAsked } from './page-request.js';
import { expectedPeriods } from './periods.js';
import { pageDifference } from './pages.js';
import { exactProblem, promisedProblem } from './promised-fields.js';
import { makeRequest, PairwiseChoices, type Asked } from './request.js';

/** Clocks that change at different hours, by half an hour, at midnight, in the southern spring, or never. */
export const TIME_ZONES =
  'Europe/Belgrade|Australia/Sydney|Australia/Lord_Howe|America/St_Johns|America/Havana|America/Sao_Paulo|Pacific/Chatham|Asia/Kathmandu|UTC';

type AnyAsked = Asked | PageAsked | OgcAsked;

/** Two snapshots, published one after the other, and a request to the second. */
export interface Case {
  readonly earlier: Network;
  readonly network: Network;
  readonly asked: AnyAsked;
  readonly timeZone: string;
}

const REQUESTS = 200;
/** Share of the requests that ask for pages. */
const PAGES = 0.2;
/** Share of the others that ask the OGC API. */
const OGC = 0.2;
/** Failures after which a run ends: more of them have mostly the same cause. */
const FAILURES_MAX = 5;
const SHRINK_MS = 7000;

/** Asks about new networks until the time is over; each difference fails the test, and is kept as a case. */
export async function fuzzRequests(
  t: Test,
  { seed, seconds }: { readonly seed: number; readonly seconds: number },
): Promise<void> {
  const chance = new Chance(seed);
  const choices = new PairwiseChoices();
  const timeZone = chance.pick(TIME_ZONES.split('|'));
  const session = await Session.open(t, { timeZone });
  const endMs = performance.now() + seconds * 1000;
  let [networks, requests, failures] = [0, 0, 0];
  while (performance.now() < endMs && failures < FAILURES_MAX) {
    const earlier = perhapsLarge(chance, makeNetwork(chance));
    const network = laterNetwork(chance, earlier);
    await session.publish(earlier, network);
    networks += 1;
    // Pages leave stations out where there are more (docs/http-api/pages.md); the oracle does not.
    const hasPages = network.stations.length <= 300;
    for (let count = 0; count < REQUESTS && failures < FAILURES_MAX; count += 1) {
      const other = (): AnyAsked =>
        chance.is(OGC)
          ? makeOgc(chance, network)
          : varied(chance, makeRequest(chance, network, choices.next(chance)));
      const asked = hasPages && chance.is(PAGES) ? makePage(chance, network) : other();
      requests += 1;
      const wrong = await session.ask(asked);
      if (wrong === undefined) continue;
      failures += 1;
      t.fail(`${asked.path}: ${wrong}`);
      const small = await session.shrink({ earlier, network, asked, timeZone });
      t.comment(await keepCase(`${seed}-${networks}-${count}`, small));
      await session.publish(earlier, network);
    }
  }
  t.comment(`${networks} networks, ${requests} requests`);
  t.ok(requests > 0);
}

export interface Snapshot {
  readonly id: string;
  readonly oracle: Oracle;
}

/** A service, and what it must answer at the moment. */
export class Session {
  readonly service: Service;
  readonly #instance: DuckDBInstance;
  readonly #ask: Ask;
  readonly #timeZone: string;
  #snapshots: readonly Snapshot[] = [];
  #count = 0;

  private constructor(ask: Ask, service: Service, instance: DuckDBInstance, timeZone: string) {
    this.#ask = ask;
    this.service = service;
    this.#instance = instance;
    this.#timeZone = timeZone;
  }

  static async open(
    t: Test,
    options: {
      readonly first?: Record<string, unknown>;
      readonly timeZone?: string;
      readonly env?: Readonly<Record<string, string>>;
    },
  ): Promise<Session> {
    const { timeZone = 'Europe/Belgrade', env } = options;
    const { first = documentOf(makeNetwork(new Chance(1)), 'first') } = options;
    const service = await startServing(t, first, { env: { ...env, TIME_ZONE: timeZone } });
    const instance = await DuckDBInstance.create(':memory:');
    return new Session(asker(t, service), service, instance, timeZone);
  }

  async publish(earlier: Network, network: Network): Promise<void> {
    for (const { oracle } of this.#snapshots) await oracle.close();
    const snapshots: Snapshot[] = [];
    for (const one of [earlier, network]) {
      this.#count += 1;
      const id = `fuzz-${this.#count}`;
      await publishAndServe(this.service, documentOf(one, id));
      snapshots.push({ id, oracle: await this.openOracle(one, `s${this.#count}`) });
    }
    this.#snapshots = snapshots;
  }

  async openOracle(network: Network, schema: string): Promise<Oracle> {
    return await Oracle.open(this.#instance, { network, schema, folder: this.service.root });
  }

  /** Expects answers from the last of two snapshots, which are not published here. */
  expect(snapshots: readonly Snapshot[]): void {
    this.#snapshots = snapshots;
  }

  async ask(asked: AnyAsked): Promise<string | undefined> {
    const [earlier, active] = this.#snapshots;
    if (earlier === undefined || active === undefined) throw new TypeError('nothing is published');
    const { id: snapshotId, oracle } = active;
    const figures = new Figures(oracle, this.#timeZone);
    const ask = this.#ask;
    if ('page' in asked) {
      const answer = await ask(asked.path, asked.fields);
      return await pageDifference(asked, answer, { figures, snapshotId });
    }
    if ('ogc' in asked) {
      const answer = await askWhole(ask, asked.path, asked);
      const wrong = await ogcProblem(asked, answer, { oracle, snapshotId });
      return wrong ?? (await exchangeProblem(ask, { asked, target: asked.path, coded: answer }));
    }
    const { exact, choices } = asked;
    if (exact !== undefined) return await exactProblem(ask, { ...asked, exact });
    const target = asked.path.replace('=EARLIER', `=${earlier.id}`);
    const answer = await askWhole(ask, target, asked);
    const expected = await expectedOf(asked, { figures, oracle, earlier: earlier.oracle });
    const snapshots = { oracle, snapshotId, since: earlier.id };
    const wrong = await difference({ asked, answer, expected, ...snapshots, ask });
    if (wrong !== undefined) return wrong;
    const { activatedAtMs } = await activePointer(this.service);
    const count = expected.status === 200 ? expected.rows.length : 0;
    const promised = { asked, answer, snapshotId, activatedAtMs, count };
    return (
      (isForm(choices.endpoint) ? undefined : promisedProblem(promised)) ??
      (await exchangeProblem(ask, { asked, target, coded: answer }))
    );
  }

  /** A smaller case that fails too: rows and stations are left out as long as the answer stays wrong. */
  async shrink(from: Case): Promise<Case> {
    let small = from;
    for (const list of ['measurements', 'stations'] as const) {
      const keys = [...from.earlier[list], ...from.network[list]].map(keyOf);
      const without = (rest: readonly string[]): Case => ({
        ...small,
        earlier: only(small.earlier, list, rest),
        network: only(small.network, list, rest),
      });
      const isWrong = async (rest: readonly string[]): Promise<boolean> => {
        const { earlier, network, asked } = without(rest);
        await this.publish(earlier, network);
        return (await this.ask(asked)) !== undefined;
      };
      small = without(await shrunk([...new Set(keys)], isWrong, SHRINK_MS));
    }
    return small;
  }
}

async function expectedOf(
  asked: Asked,
  of: { readonly figures: Figures; readonly oracle: Oracle; readonly earlier: Oracle },
): Promise<Expected> {
  switch (asked.choices.endpoint) {
    case 'days':
    case 'week':
      return await of.figures.expectedDays(asked);
    case 'daily':
    case 'daily-json':
    case 'monthly':
    case 'monthly-json':
      return await expectedPeriods(asked, of.oracle, of.figures.timeZone);
    case 'workbook':
      return await of.figures.expectedWorkbook(asked);
    default:
      return await of.oracle.expected(asked, of.earlier);
  }
}

/** A network with some of its rows or stations. */
function only(
  network: Network,
  list: 'measurements' | 'stations',
  keys: readonly string[],
): Network {
  const has = new Set(keys);
  const rest = { ...network, [list]: network[list].filter((one) => has.has(keyOf(one))) };
  const ids = new Set(rest.stations.map((one) => one['station_id']));
  return { ...rest, measurements: rest.measurements.filter((row) => ids.has(row['station_id'])) };
}

function keyOf({ station_id, component_id, date, time }: Network['stations'][number]): string {
  return JSON.stringify([station_id, component_id, date, time]);
}
