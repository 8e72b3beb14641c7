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
import { get, getJson } from '../support/service/requests.js';
import { activePointer, eventually } from '../support/service/service.js';
import { Chance } from './chance.js';
import { BY_PERIOD } from './endpoints.js';
import {
  dateAndTime,
  documentOf,
  HOUR_MS,
  atMinute,
  laterNetwork,
  makeNetwork,
  RETENTION_HOURS,
  startOf,
  textOf,
  type Fields,
  type Network,
} from './network.js';
import type { Oracle, Row } from './oracle.js';
import { makePage } from './page-request.js';
import {
  clockOf,
  clockSql,
  figuresSql,
  isNear,
  list as texts,
  periodsOf,
  rowOf,
} from './periods.js';
import { list, object } from './records.js';
import { makeRequest, PairwiseChoices } from './request.js';
import { Session, TIME_ZONES, type Snapshot } from './session.js';

/** A command about one network of a life (`prune`: how many to keep), and the seed of the requests after it. */
interface Operation {
  readonly command: 'publish' | 'activate' | 'remove' | 'prune' | 'archive';
  readonly at: number;
  readonly seed: number;
}

/** Networks of one operator, each later than the one before; the first is active at the beginning. */
export interface Life {
  /** Clock of the archive's days; default: Europe/Belgrade. */
  readonly timeZone?: string;
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
const ALLOWED = 'future alone sentinels negative place drop jump moved unlocated unit minute'
  .split(' ')
  .flatMap((name) => ['--allow', name]);

export function makeLife(chance: Chance): Life {
  let network = makeNetwork(chance);
  while (network.measurements.length > ROWS_MAX) network = makeNetwork(chance);
  // The clock of the archive's oracle has whole hours.
  network = atMinute(network, 0);
  const networks = [network];
  while (networks.length < NETWORKS) {
    network = nextNetwork(chance, network);
    networks.push(network);
  }
  let published = 0;
  const operations = Array.from({ length: OPERATIONS }, (_, number): Operation => {
    // The archive begins with the first snapshot.
    const command = number === 0 ? 'archive' : chance.pick(COMMANDS);
    const seed = chance.integer(0, 2 ** 31);
    if (command === 'prune') return { command, at: chance.integer(0, 3), seed };
    const isNew = command === 'publish' && chance.is(0.7) && published < NETWORKS - 1;
    if (isNew) published += 1;
    return { command, at: isNew ? published : chance.integer(0, published), seed };
  });
  return { timeZone: chance.pick(TIME_ZONES.split('|')), networks, operations };
}

/** A later network that has measured since. */
function nextNetwork(chance: Chance, network: Network): Network {
  const later = atMinute(laterNetwork(chance, network), 0);
  const minutes = (later.hour_minute ?? 0) - (network.hour_minute ?? 0);
  const movedMs =
    Date.parse(later.generated_at) - Date.parse(network.generated_at) + minutes * 60_000;
  const keyOf = (row: Fields): string =>
    JSON.stringify([row['station_id'], row['component_id'], startOf(row)]);
  const known = new Set(later.measurements.map(keyOf));
  const moved = network.measurements
    .filter((row) => startOf(row) >= Date.parse(network.generated_at) - 48 * HOUR_MS)
    .map((row) => ({ ...row, ...dateAndTime(startOf(row) + movedMs) }));
  const added = moved.filter((row) => !known.has(keyOf(row)));
  return { ...later, measurements: [...later.measurements, ...added] };
}

export async function live(t: Test, life: Life): Promise<string | undefined> {
  const [first] = life.networks;
  if (first === undefined) throw new TypeError('no network');
  const env = { POINTER_POLL_SECONDS: '0.05', HISTORY_SNAPSHOTS: `${HISTORY}` };
  const { timeZone = 'Europe/Belgrade' } = life;
  const session = await Session.open(t, { first: documentOf(first, 'life-0'), timeZone, env });
  const all: Snapshot[] = [];
  for (const [at, network] of life.networks.entries()) {
    all.push({ id: `life-${at}`, oracle: await session.openOracle(network, `life${at}`) });
  }
  const lived = new Lived(session, all, timeZone);
  let problem: string | undefined;
  for (const [number, operation] of life.operations.entries()) {
    const wrong = await lived.operate(operation);
    problem = wrong && `operation ${number}, ${operation.command} ${operation.at}: ${wrong}`;
    if (problem !== undefined) break;
  }
  await session.service.stop();
  return problem;
}

class Lived {
  readonly #session: Session;
  readonly #all: readonly Snapshot[];
  readonly #archive = new ArchiveOracle();
  readonly #timeZone: string;
  /** In the order in which they were stored. */
  #stored: readonly Snapshot[];
  /** Most recently served first; the first one is active. */
  #served: readonly Snapshot[];
  /** Removed and pruned ones. */
  readonly #gone = new Set<Snapshot>();

  constructor(session: Session, all: readonly Snapshot[], timeZone: string) {
    this.#timeZone = timeZone;
    this.#session = session;
    this.#all = all;
    this.#stored = all.slice(0, 1);
    this.#served = all.slice(0, 1);
  }

  async operate({ command, at, seed }: Operation): Promise<string | undefined> {
    const of = this.#all[at];
    if (of === undefined) throw new TypeError('no such network');
    const { root } = this.#session.service;
    const env = {
      SNAPSHOT_STORE: `file:${join(root, 'store')}`,
      LOCAL_DIR: join(root, 'local'),
      TIME_ZONE: this.#timeZone,
    };
    const file = join(root, 'document.json');
    if (command === 'publish') await writeDocument(file, documentOf(of.oracle.network, of.id));
    const named = command === 'publish' ? file : of.id;
    const words = command === 'prune' ? ['--keep', `${at}`] : [named];
    const allowed = command === 'publish' || command === 'archive' ? ALLOWED : [];
    const { code, stderr } = await runBura([command, ...words, ...allowed], { env });
    const isDone = await this.#expectDone({ command, at }, of);
    if (code !== (isDone ? 0 : 1)) return `exit code ${code}: ${stderr}`;
    const wrong = (await this.#checkState()) ?? (await this.#checkArchive());
    return wrong ?? (await this.#askAll(new Chance(seed)));
  }

  get #active(): Snapshot {
    const [active] = this.#served;
    if (active === undefined) throw new TypeError('nothing is served');
    return active;
  }

  /** Follows a command. @returns whether it can be done. */
  async #expectDone({ command, at }: Omit<Operation, 'seed'>, of: Snapshot): Promise<boolean> {
    const isStored = this.#stored.includes(of);
    switch (command) {
      case 'publish':
        if (this.#gone.has(of)) return false;
        if (!isStored) this.#stored = [...this.#stored, of];
        this.#activate(of);
        return true;
      case 'activate':
        if (isStored) this.#activate(of);
        return isStored;
      case 'remove':
        // The id of one that is not stored, perhaps not yet, is reserved too.
        if (of === this.#active) return false;
        this.#forget([of]);
        this.#served = this.#served.filter((one) => one !== of);
        return true;
      case 'prune': {
        const newest = at === 0 ? [] : this.#stored.slice(-at);
        this.#forget(this.#stored.filter((one) => one !== this.#active && !newest.includes(one)));
        return true;
      }
      case 'archive':
        return isStored && (await this.#archive.merge(of.oracle));
    }
  }

  #activate(of: Snapshot): void {
    const before = this.#served.filter((one) => one !== of);
    this.#served = [of, ...before].slice(0, HISTORY + 1);
  }

  #forget(all: readonly Snapshot[]): void {
    this.#stored = this.#stored.filter((one) => !all.includes(one));
    for (const one of all) this.#gone.add(one);
  }

  /** History, and refusals of what is not in it. */
  async #checkState(): Promise<string | undefined> {
    const { service } = this.#session;
    const want = this.#served.map((one) => [one.id, one === this.#active]).toSorted();
    const history = async (): Promise<unknown> => {
      const all = list((await getJson(service, '/api/v1/snapshots')).body);
      return all.map((one) => [one['snapshot_id'], one['active']]).toSorted();
    };
    const { activatedAtMs } = await activePointer(service);
    const activated = async () => (await get(service, '/meta')).headers['last-modified'];
    const wrong =
      (await settled('history', history, want)) ??
      (await settled('date of activation', activated, new Date(activatedAtMs).toUTCString()));
    if (wrong !== undefined) return wrong;
    for (const one of this.#all) {
      const { status } = await get(service, `/api/v1/changes?since=${one.id}`);
      const expected = this.#served.includes(one) ? 200 : 410;
      if (status !== expected) return `changes since ${one.id}: status ${status}, not ${expected}`;
    }
    return undefined;
  }

  async #checkArchive(): Promise<string | undefined> {
    if (!this.#archive.isThere) return undefined;
    const { service } = this.#session;
    const { oracle } = this.#active;
    const dated = async (): Promise<readonly Row[]> => {
      const { files } = object((await getJson(service, '/api/v1/archive')).body);
      return list(files).filter(({ path }) =>
        /^(?:observations|daily|monthly)\//.test(textOf(path)),
      );
    };
    // An archive without rows is waited for too.
    const counts = async (): Promise<unknown> => [
      (await get(service, '/api/v1/archive')).status,
      (await dated())
        .filter(({ path }) => textOf(path).startsWith('observations/'))
        .map(({ path, rows }) => [folderOf(path), rows]),
    ];
    const wrong = await settled('archive', counts, [200, await this.#archive.months(oracle)]);
    if (wrong !== undefined) return wrong;
    const index = await dated();
    const different = await this.#differenceOf(index);
    // The index before has as many rows of observations, where only days are new.
    const isStale = JSON.stringify(await dated()) !== JSON.stringify(index);
    return different !== undefined && isStale ? await this.#differenceOf(await dated()) : different;
  }

  /** Compares the files of an index of the archive, and what the service answers from them. */
  async #differenceOf(index: readonly Row[]): Promise<string | undefined> {
    const { service } = this.#session;
    const { oracle } = this.#active;
    const files: Record<string, Row[]> = { daily: [], monthly: [] };
    for (const { path, download_url: url } of index) {
      const { body, status } = await get(service, textOf(url));
      if (status !== 200) return `${textOf(url)}: status ${status}`;
      const file = join(service.root, 'dated.parquet');
      await writeFile(file, body);
      const folder = folderOf(path);
      const problem = folder.startsWith('observations/')
        ? await this.#archive.difference(oracle, folder, file)
        : await this.#archive.periodsDifference(oracle, folder, { file, timeZone: this.#timeZone });
      if (problem !== undefined) return `${textOf(path)}: ${problem}`;
      files[folder.split('/')[0] ?? '']?.push(...(await periodRows(oracle, file)));
    }
    // Files with a row of a hidden station are not to be had.
    if (await this.#archive.hasHidden(oracle)) return undefined;
    for (const name of ['daily', 'monthly'] as const) {
      const wrong = await this.#checkPeriods(name, files[name] ?? []);
      if (wrong !== undefined) return `${name}.csv: ${wrong}`;
    }
    return undefined;
  }

  /** Periods that begin in the retention window are the snapshot's, and earlier ones those of the archive's files. */
  async #checkPeriods(
    name: 'daily' | 'monthly',
    ofFiles: readonly Row[],
  ): Promise<string | undefined> {
    const { generatedAtMs } = this.#active.oracle;
    const oldest = Math.ceil(generatedAtMs / HOUR_MS) - RETENTION_HOURS;
    const clock = clockOf(oldest - 800, 1600, this.#timeZone);
    const recent = periodsOf(clock, name === 'monthly').find(
      ({ firstMs }, at) => at > 0 && firstMs >= oldest * HOUR_MS,
    );
    const ask = async (from = ''): Promise<readonly string[]> => {
      const path = `/api/v1/${name}.csv?format=json&from=${from}`;
      return list((await getJson(this.#session.service, path)).body).map((row) =>
        JSON.stringify(row),
      );
    };
    const isOlder = (row: Row): boolean =>
      textOf(row['date'] ?? row['month']) < (recent?.key ?? '');
    const older = ofFiles.filter(isOlder).map((row) => JSON.stringify(row));
    const [got, want] = [await ask('1999-12-31'), [...older, ...(await ask(recent?.firstDate))]];
    const missing =
      want.find((row) => !got.includes(row)) ?? got.find((row) => !want.includes(row));
    return got.length === want.length
      ? missing
      : `${got.length} rows, not ${want.length}: ${missing}`;
  }

  async #askAll(chance: Chance): Promise<string | undefined> {
    const choices = new PairwiseChoices();
    const { network } = this.#active.oracle;
    for (let count = 0; count < REQUESTS; count += 1) {
      const earlier = chance.pick(this.#served);
      this.#session.expect([earlier, this.#active]);
      const asked = chance.is(0.2)
        ? makePage(chance, network)
        : makeRequest(chance, network, choices.next(chance));
      // With an archive there may be such a page, whose figures are not compared.
      if ('page' in asked ? asked.page === 'years' : BY_PERIOD.includes(asked.choices.endpoint))
        continue;
      const wrong = await this.#session.ask(asked);
      const ids = `${earlier.id}, ${this.#active.id}`;
      if (wrong !== undefined) return `${asked.path} of ${ids}: ${wrong}`;
    }
    return undefined;
  }
}

/** Rows of a file with texts for times, and members in the order of answers. */
async function periodRows(oracle: Oracle, file: string): Promise<readonly Row[]> {
  const timeOf = (name: string): string => `strftime(${name}, '%Y-%m-%dT%H:%M:%SZ') AS ${name}`;
  const columns = await oracle.rows(`DESCRIBE FROM read_parquet('${file}')`);
  const isMonthly = columns.some((one) => one['column_name'] === 'month');
  const start = isMonthly
    ? `strftime(month, '%Y-%m') AS month`
    : `strftime(date, '%Y-%m-%d') AS date`;
  return await oracle.rows(`SELECT * REPLACE (${timeOf('published_at_utc')}, ${timeOf('updated_at_utc')}, ${start})
    FROM read_parquet('${file}')`);
}

function folderOf(path: unknown): string {
  return textOf(path).replace(/\/[^/]*$/, '');
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

/** The archive of a life: the newest snapshot within its 30 days, and older rows as they were. */
class ArchiveOracle {
  #newestMs: number | undefined;

  get isThere(): boolean {
    return this.#newestMs !== undefined;
  }

  /** Adds a snapshot. @returns false for one that is older than the archive, which is refused. */
  async merge(oracle: Oracle): Promise<boolean> {
    const nowMs = oracle.generatedAtMs;
    if (nowMs < (this.#newestMs ?? -Infinity)) return false;
    if (this.#newestMs === undefined) {
      await oracle.rows(`CREATE TABLE main.archived (station_id BIGINT, code VARCHAR, start_ms BIGINT,
        value DOUBLE, unit VARCHAR, published_ms BIGINT, updated_ms BIGINT)`);
    }
    this.#newestMs = nowMs;
    await oracle.rows(`CREATE OR REPLACE TABLE main.merged AS
      SELECT * FROM main.archived WHERE start_ms < ${nowMs - RETENTION_HOURS * HOUR_MS}
        AND NOT ${hiddenSql(oracle)}
      UNION ALL
      SELECT s.station_id, s.code, s.start_ms, s.value, s.unit, coalesce(a.published_ms, ${nowMs}),
        CASE WHEN a.code IS NOT NULL AND a.value IS NOT DISTINCT FROM s.value THEN a.updated_ms ELSE ${nowMs} END
      FROM seen s LEFT JOIN main.archived a USING (station_id, code, start_ms)`);
    await oracle.rows('CREATE OR REPLACE TABLE main.archived AS SELECT * FROM main.merged');
    return true;
  }

  /** Folders and numbers of rows of the months that may be served: those without a row that the snapshot hides. */
  async months(active: Oracle): Promise<readonly (readonly [string, number])[]> {
    const rows = await active.rows(`SELECT ${MONTH} AS month, count(*)::DOUBLE AS rows
      FROM main.archived GROUP BY month HAVING NOT bool_or(${hiddenSql(active)}) ORDER BY month`);
    return rows.map((row) => [String(row['month']), Number(row['rows'])]);
  }

  async hasHidden(active: Oracle): Promise<boolean> {
    return (
      (await active.rows(`SELECT 1 FROM main.archived WHERE ${hiddenSql(active)} LIMIT 1`)).length >
      0
    );
  }

  /** @param folder that of a month. @param file its bytes. @returns the first row that differs. */
  async difference(active: Oracle, folder: string, file: string): Promise<string | undefined> {
    const seconds = (column: string): string => `epoch_ms(${column}) // 1000`;
    const got = `SELECT station_id::BIGINT AS station_id, parameter_code AS code, epoch_ms(time_start_utc) AS start_ms,
      value, unit, ${seconds('published_at_utc')} AS published, ${seconds('updated_at_utc')} AS updated
      FROM read_parquet('${file}')`;
    const want = `SELECT station_id, code, start_ms, value, unit, published_ms // 1000, updated_ms // 1000
      FROM main.archived WHERE ${MONTH} = '${folder}'`;
    const rows =
      await active.rows(`(SELECT 'served' AS side, * FROM (${got} EXCEPT ALL ${want}) LIMIT 1)
      UNION ALL (SELECT 'expected', * FROM (${want} EXCEPT ALL ${got}) LIMIT 1)`);
    return rows.length === 0 ? undefined : JSON.stringify(rows);
  }

  /** @param folder that of a year's days, or of all months. @returns the first row that differs. */
  async periodsDifference(
    active: Oracle,
    folder: string,
    { file, timeZone }: { readonly file: string; readonly timeZone: string },
  ): Promise<string | undefined> {
    const isMonthly = folder === 'monthly';
    const [span = {}] = await active.rows(
      'SELECT min(start_ms)::DOUBLE AS first, max(start_ms)::DOUBLE AS last FROM main.archived',
    );
    const [first, last] = [span['first'], span['last']].map((ms) => Number(ms) / HOUR_MS);
    // Whole months.
    const clock = clockOf((first ?? 0) - 800, (last ?? 0) - (first ?? 0) + 1600, timeZone);
    const periods = periodsOf(clock, isMonthly).filter(
      ({ key }) => isMonthly || key.startsWith(folder.slice(-4)),
    );
    await active.rows(`CREATE OR REPLACE TABLE main.archive_clock AS ${clockSql(clock)}`);
    const of = 'SELECT *, code AS code_rank FROM main.archived';
    const endMs = this.#newestMs ?? 0;
    const found = await active.rows(
      figuresSql(
        { of, clock: 'main.archive_clock', endMs, isMonthly },
        texts(periods.map(({ key }) => key)),
      ),
    );
    const hours = new Map(periods.map((one) => [one.key, one.hours]));
    const want = found.map((row) => rowOf(row, hours.get(textOf(row['period'])) ?? 0));
    const timeOf = (name: string): string => `strftime(${name}, '%Y-%m-%dT%H:%M:%SZ') AS ${name}`;
    const start = isMonthly ? `strftime(month, '%Y-%m')` : `strftime(date, '%Y-%m-%d')`;
    const got = await active.rows(`SELECT * EXCLUDE (${isMonthly ? 'month' : 'date'})
        REPLACE (${timeOf('published_at_utc')}, ${timeOf('updated_at_utc')}), ${start} AS date
      FROM read_parquet('${file}')`);
    const wrong = want.findIndex((row, at) =>
      Object.entries(got[at] ?? { none: 0 }).some(([name, value]) => {
        const wanted = row[name];
        const isRight = typeof wanted === 'number' && isNear(Number(value), wanted, row);
        return value !== wanted && !isRight;
      }),
    );
    if (got.length === want.length && wrong < 0) return undefined;
    return JSON.stringify({ rows: [got.length, want.length], got: got[wrong], want: want[wrong] });
  }
}

function timeSql(format: string): string {
  return `strftime(make_timestamp(start_ms * 1000), '${format}')`;
}

const MONTH = timeSql('observations/year=%Y/month=%m');

function hiddenSql({ network }: Oracle): string {
  const hidden = network.stations.flatMap((one) =>
    one['public'] === false ? Number(one['station_id']) : [],
  );
  return hidden.length === 0 ? 'false' : `station_id IN (${hidden.join(', ')})`;
}
