/** A service, the oracle beside it, and a sequence of networks and requests. */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import type { Test } from 'tap';
import { keptConnection, type Answer, type Connection } from '../support/service/connection.js';
import { publishAndServe, startServing } from '../support/service/serve-documents.js';
import { activePointer, type Service } from '../support/service/service.js';
import type { JsonValue } from '../../src/snapshot/domain/model.js';
import { Chance } from './chance.js';
import { difference, type Compared } from './compare.js';
import { isForm, TIME_ZONES } from './form-paths.js';
import { expectedForm, formReader } from './forms.js';
import { exactProblem } from './exact.js';
import { askWhole, exchangeProblem } from './http-exchange.js';
import { perhapsLarge } from './large-network.js';
import { documentOf, laterNetwork, makeNetwork, type Network } from './network.js';
import { Oracle } from './oracle.js';
import { varied } from './other-requests.js';
import { promisedProblem } from './promised-fields.js';
import { makePage, type PageAsked } from './page-request.js';
import { pageDifference } from './pages.js';
import { EARLIER_ID, makeRequest, PairwiseChoices, type Asked } from './request.js';

/** Two snapshots, published one after the other, and a request to the second. */
interface Case {
  readonly earlier: Network;
  readonly network: Network;
  readonly asked: Asked | PageAsked;
  /** The clock of the service. */
  readonly timeZone: string;
}

interface Failure {
  readonly path: string;
  readonly difference: string;
  readonly file: string;
}

interface Outcome {
  readonly networks: number;
  readonly requests: number;
  readonly failures: readonly Failure[];
}

const CASES = 'test/differential/cases';
const REQUESTS = 200;
/** Share of the requests that ask for pages. */
const PAGES = 0.2;
/** Failures after which a run ends: more of them have mostly the same cause. */
const FAILURES_MAX = 5;
const SHRINK_MS = 15_000;

/** Asks about new networks until the time is over. */
async function fuzz(
  t: Test,
  { seed, seconds }: { readonly seed: number; readonly seconds: number },
): Promise<Outcome> {
  const chance = new Chance(seed);
  const choices = new PairwiseChoices();
  const timeZone = chance.pick(TIME_ZONES);
  const session = await Session.open(t, { timeZone });
  const endMs = performance.now() + seconds * 1000;
  const failures: Failure[] = [];
  let [networks, requests] = [0, 0];
  while (performance.now() < endMs && failures.length < FAILURES_MAX) {
    const earlier = perhapsLarge(chance, makeNetwork(chance));
    const network = laterNetwork(chance, earlier);
    await session.publish(earlier, network);
    networks += 1;
    // Pages leave stations out where there are more (docs/http-api/pages.md); the oracle does not.
    const hasPages = network.stations.length <= 300;
    for (let count = 0; count < REQUESTS && failures.length < FAILURES_MAX; count += 1) {
      const asked =
        hasPages && chance.is(PAGES)
          ? makePage(chance, network)
          : varied(chance, makeRequest(chance, network, choices.next(chance)));
      requests += 1;
      const wrong = await session.ask(asked);
      if (wrong === undefined) continue;
      const small = await session.shrink({ earlier, network, asked, timeZone });
      failures.push(await keep(small, `${seed}-${networks}-${count}`));
      await session.publish(earlier, network);
    }
  }
  return { networks, requests, failures };
}

/** Asks random requests; each difference is kept as a case, and fails the test. */
export async function fuzzRequests(
  t: Test,
  options: { readonly seed: number; readonly seconds: number },
): Promise<void> {
  const { networks, requests, failures } = await fuzz(t, options);
  t.comment(`${networks} networks, ${requests} requests`);
  t.same(failures, []);
  t.ok(requests > 0);
}

/** Asks the cases of earlier failures. @returns those that are wrong again. */
export async function askCases(t: Test): Promise<readonly string[]> {
  const names = (await readdir(CASES)).filter((name) => name.endsWith('.json'));
  const sessions = new Map<string, Session>();
  const wrong: string[] = [];
  for (const name of names) {
    const { earlier, network, asked, timeZone } = JSON.parse(
      await readFile(join(CASES, name), 'utf8'),
    ) as Case;
    const session = sessions.get(timeZone) ?? (await Session.open(t, { timeZone }));
    sessions.set(timeZone, session);
    await session.publish(earlier, network);
    const problem = await session.ask(asked);
    if (problem !== undefined) wrong.push(`${name}: ${asked.path}: ${problem}`);
  }
  return wrong;
}

async function keep(
  { difference: text, ...small }: Case & { readonly difference: string },
  name: string,
): Promise<Failure> {
  const file = join(CASES, `${name}.json`);
  await mkdir(CASES, { recursive: true });
  await writeFile(file, `${JSON.stringify(small, undefined, 1)}\n`);
  return { path: small.asked.path, difference: text, file };
}

/** A service, and what it must answer at the moment. */
export class Session {
  readonly service: Service;
  readonly instance: DuckDBInstance;
  readonly #connection: Pick<Connection, 'ask'>;
  readonly #timeZone: string;
  #oracles: readonly Oracle[] = [];
  #ids: readonly string[] = [];
  #count = 0;

  private constructor(
    t: Test,
    {
      service,
      instance,
      timeZone,
    }: { readonly service: Service; readonly instance: DuckDBInstance; readonly timeZone: string },
  ) {
    this.service = service;
    this.instance = instance;
    this.#timeZone = timeZone;
    this.#connection = keptConnection(t, service.port);
  }

  /** @param options.first the document that is active then. */
  static async open(
    t: Test,
    {
      first = documentOf(makeNetwork(new Chance(1)), 'first'),
      timeZone = 'Europe/Belgrade',
      env = {},
    }: {
      readonly first?: Record<string, unknown>;
      readonly timeZone?: string;
      readonly env?: Readonly<Record<string, string>>;
    } = {},
  ): Promise<Session> {
    const service = await startServing(t, first, { env: { ...env, TIME_ZONE: timeZone } });
    const instance = await DuckDBInstance.create(':memory:');
    return new Session(t, { service, instance, timeZone });
  }

  /** Publishes two networks one after the other, and waits until the second is active. */
  async publish(earlier: Network, network: Network): Promise<void> {
    for (const oracle of this.#oracles) await oracle.close();
    const oracles: Oracle[] = [];
    const ids: string[] = [];
    for (const one of [earlier, network]) {
      this.#count += 1;
      const id = `fuzz-${this.#count}`;
      await publishAndServe(this.service, documentOf(one, id));
      ids.push(id);
      oracles.push(
        await Oracle.open(this.instance, {
          network: one,
          schema: `s${this.#count}`,
          folder: this.service.root,
        }),
      );
    }
    this.#oracles = oracles;
    this.#ids = ids;
  }

  /** Expects answers from the last of two snapshots, which are not published here. */
  expect(snapshots: readonly { readonly id: string; readonly oracle: Oracle }[]): void {
    this.#oracles = snapshots.map(({ oracle }) => oracle);
    this.#ids = snapshots.map(({ id }) => id);
  }

  /** @returns what is wrong with the answer. */
  async ask(asked: Asked | PageAsked): Promise<string | undefined> {
    const [earlier, oracle] = this.#oracles;
    const [since = '', snapshotId = ''] = this.#ids;
    if (earlier === undefined || oracle === undefined) throw new TypeError('nothing is published');
    if ('page' in asked) {
      const ask = async (target: string, fields = {}): Promise<Answer> =>
        await this.#connection.ask({ target, fields });
      return await pageDifference(asked, { oracle, snapshotId, timeZone: this.#timeZone, ask });
    }
    const { exact } = asked;
    if (exact !== undefined) return await exactProblem(this.#connection, { ...asked, exact });
    const target = asked.path.replace(`=${EARLIER_ID}`, `=${since}`);
    const answer = await askWhole(this.#connection, target, asked);
    const compared = { asked, answer, oracle, snapshotId, since };
    const { expected, ...by } = await this.#expected(asked, { oracle, earlier });
    const wrong = await difference({ ...compared, expected, ...by });
    if (wrong !== undefined) return wrong;
    const { activatedAtMs } = await activePointer(this.service);
    const count = expected.status === 200 ? expected.rows.length : 0;
    const promised = { asked, answer, snapshotId, activatedAtMs, count };
    return (
      (isForm(asked.choices.endpoint) ? undefined : promisedProblem(promised)) ??
      (await exchangeProblem(this.#connection, { asked, target, coded: answer }))
    );
  }

  async #expected(
    asked: Asked,
    oracles: { readonly oracle: Oracle; readonly earlier: Oracle },
  ): Promise<Pick<Compared, 'expected' | 'read'>> {
    if (!isForm(asked.choices.endpoint)) {
      return { expected: await oracles.oracle.expected(asked, oracles.earlier) };
    }
    const expected = await expectedForm(asked, { ...oracles, timeZone: this.#timeZone });
    return { expected, read: formReader((target) => this.#connection.ask({ target })) };
  }

  /** A smaller case that fails too: parts are left out as long as the answer stays wrong. */
  async shrink(from: Case): Promise<Case & { readonly difference: string }> {
    let small = from;
    let wrong = (await this.ask(from.asked)) ?? 'right when asked again';
    const endMs = performance.now() + SHRINK_MS;
    for (const list of ['measurements', 'stations', 'components'] as const) {
      for (let parts = 2; parts <= Math.max(2, small.network[list].length); parts *= 2) {
        for (let part = 0; part < parts && performance.now() < endMs; part += 1) {
          const next = withoutPart(small, { list, part, parts });
          if (next === undefined) continue;
          await this.publish(next.earlier, next.network);
          const problem = await this.ask(next.asked);
          if (problem === undefined) continue;
          [small, wrong] = [next, problem];
        }
      }
    }
    return { ...small, difference: wrong };
  }
}

/** Leaves out one of several equal parts of a list in both networks; undefined where nothing would remain. */
function withoutPart(
  { earlier, network, ...of }: Case,
  at: {
    readonly list: 'measurements' | 'stations' | 'components';
    readonly part: number;
    readonly parts: number;
  },
): Case | undefined {
  const { list, part, parts } = at;
  const size = Math.ceil(network[list].length / parts);
  const removed = new Set(
    network[list].slice(part * size, (part + 1) * size).map((one) => keyOf(list, one)),
  );
  const isEmpty = list !== 'measurements' && removed.size >= network[list].length;
  if (removed.size === 0 || isEmpty) return undefined;
  const without = (one: Network): Network => {
    const rest = {
      ...one,
      [list]: one[list].filter((record) => !removed.has(keyOf(list, record))),
    };
    return { ...rest, ...withoutReferences(rest) };
  };
  return { earlier: without(earlier), network: without(network), ...of };
}

/** Rows and lists of components of what is still there. */
function withoutReferences(network: Network): Pick<Network, 'measurements' | 'stations'> {
  const stations = new Set(network.stations.map((one) => one['station_id']));
  const components = new Set(network.components.map((one) => one['component_id']));
  return {
    measurements: network.measurements.filter(
      (row) => stations.has(row['station_id']) && components.has(row['component_id']),
    ),
    stations: network.stations.map(({ component_ids: ids, ...station }) =>
      Array.isArray(ids)
        ? { ...station, component_ids: ids.filter((id: JsonValue) => components.has(id)) }
        : station,
    ),
  };
}

function keyOf(
  list: 'measurements' | 'stations' | 'components',
  record: Network['stations'][number],
): string {
  const names = {
    measurements: ['station_id', 'component_id', 'date', 'time'],
    stations: ['station_id'],
    components: ['component_id'],
  };
  return JSON.stringify(names[list].map((name) => record[name]));
}
