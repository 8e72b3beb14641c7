/** Measures one station's observations as CSV beside the same as JSON, both from the service. */
import { atLeast } from '../criteria.js';
import { ask, headerOf, type Target } from '../harness/exchange.js';
import type { Service } from '../harness/processes.js';
import type { BenchOptions, Progress } from '../options.js';
import type { Criterion, Table } from '../report.js';
import { pairsTable } from './beside.js';
import { hold, pairIn, type Contest, type Pair } from './contest.js';
import { GZIP, readNetwork } from './targets.js';

/** The promised share of the rate of JSON. */
const GOOD = 0.8;

/** What a pair's two servers are called, though both are the service. */
const [CSV, JSON_TEXT] = ['service', 'JSON'] as const;

interface CsvRow {
  readonly name: string;
  /** Of the CSV, as it is sent. */
  readonly bodyBytes: number;
  readonly pair: Pair;
}

/**
 * All observations of one station, plain and in gzip; the client is the one that discards.
 *
 * @throws when the two forms do not have the same number of records, or requests fail.
 */
export async function measureCsvBesideJson(
  service: Service,
  options: BenchOptions,
  progress: Progress,
): Promise<readonly CsvRow[]> {
  const [station] = (await readNetwork(service.port)).stations;
  if (station === undefined) throw new Error('a snapshot without stations');
  const query = `?station_id=${station.station_id}`;
  const rows: Omit<CsvRow, 'pair'>[] = [];
  const contests: Contest[] = [];
  for (const [coding, headers] of [
    ['', {}],
    [', gzip', GZIP],
  ] as const) {
    const csv = { path: `/api/v1/observations.csv${query}`, headers };
    const json = { path: `/api/v1/observations${query}`, headers };
    const name = `one station as CSV${coding}`;
    rows.push({ name, bodyBytes: await checkSameRecords(service, csv, json) });
    contests.push({
      name,
      contestants: [
        { name: CSV, server: service, targets: [csv] },
        { name: JSON_TEXT, server: service, targets: [json] },
      ],
    });
  }
  const scores = await hold(contests, 'discard', options, progress);
  return rows.map((row) => ({ ...row, pair: pairIn(scores, row.name, JSON_TEXT) }));
}

/** Answers the length of the CSV. */
async function checkSameRecords(service: Service, csv: Target, json: Target): Promise<number> {
  const answers = await Promise.all([csv, json].map((target) => ask(service.port, target)));
  const [records, others] = answers.map((answer) => headerOf(answer, 'x-record-count'));
  if (answers.some(({ status }) => status !== 200) || records === undefined || records !== others) {
    throw new Error(`${csv.path} has ${records} records, ${json.path} ${others}`);
  }
  return answers[0]?.body.length ?? 0;
}

export function csvTable(rows: readonly CsvRow[]): Table {
  return pairsTable('CSV/JSON, both of the service', rows);
}

export function csvCriteria(rows: readonly CsvRow[]): readonly Criterion[] {
  return rows.map(({ name, pair }) =>
    atLeast(`${name}: requests/s beside JSON`, GOOD, pair.throughputRatio),
  );
}
