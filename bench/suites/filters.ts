/**
 * What does a filter of the high-value-dataset API cost, beside a server that has its answer in memory?
 *
 * An answer: requests per second and CPU time for 30 days of one series, as ratios to a bare uWebSockets.js server in
 * the same run. Good is 0.8 and more. Filters that nobody has asked for before are in `fresh`.
 * And one station's observations as CSV, beside the same as JSON from the same server: good is
 * 0.8 of its requests per second.
 *
 * The client is the one that discards: these bodies are up to 220 kB, which wrk takes longer to read than the service
 * to send.
 */
import { atLeast } from '../criteria.js';
import { ask, headerOf, type Target } from '../harness/exchange.js';
import type { Service } from '../harness/processes.js';
import { openSetup } from '../harness/setup.js';
import {
  BESIDE_NOTES,
  besideCriteria,
  besideFigures,
  besideTables,
  measureBeside,
  pairsTable,
} from '../measure/beside.js';
import { hold, pairIn, serverCore, type Contest, type Pair } from '../measure/contest.js';
import { filterRows, GZIP, readNetwork } from '../measure/targets.js';
import type { BenchOptions, Progress } from '../options.js';
import type { SuiteResult } from '../report.js';

const GOOD = 0.8;
const WITH_TARGET = ['one series, 30 days', 'one series, 30 days, gzip'];

/** What a pair's two servers are called, though both are the service. */
const [CSV, JSON_TEXT] = ['service', 'JSON'] as const;

interface CsvRow {
  readonly name: string;
  /** Of the CSV, as it is sent. */
  readonly bodyBytes: number;
  readonly pair: Pair;
}

export async function runFilters(options: BenchOptions, progress: Progress): Promise<SuiteResult> {
  const cpu = serverCore(options);
  const [shape = '105k'] = options.rows;
  const setup = await openSetup({ snapshots: [{ shape, version: 1 }], cpu, progress });
  try {
    const { service } = setup;
    const rows = await filterRows(service.port);
    const order = { service, rows, client: 'discard', cpu } as const;
    const measured = await measureBeside(order, options, progress);
    const csv = await measureCsvBesideJson(service, options, progress);
    return {
      suite: 'filters',
      question: `what does a filter cost beside a bare server with its answer? (${shape} rows)`,
      tables: [...besideTables(measured), pairsTable('CSV/JSON, both of the service', csv)],
      criteria: [
        ...besideCriteria(measured, { reference: 'bare', good: GOOD, names: WITH_TARGET }),
        ...csv.map(({ name, pair }) =>
          atLeast(`${name}: requests/s beside JSON`, GOOD, pair.throughputRatio),
        ),
      ],
      notes: BESIDE_NOTES,
      figures: { beside: besideFigures(measured), csv },
    };
  } finally {
    await setup.close();
  }
}

/**
 * All observations of one station, plain and in gzip; the client is the one that discards.
 *
 * @throws when the two forms do not have the same number of records, or requests fail.
 */
async function measureCsvBesideJson(
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
