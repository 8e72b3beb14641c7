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
import {
  BESIDE_NOTES,
  besideCriteria,
  besideFigures,
  besideTables,
  measureBeside,
} from '../measure/beside.js';
import { serverCore } from '../measure/contest.js';
import { csvCriteria, csvTable, measureCsvBesideJson } from '../measure/csv-beside-json.js';
import type { BenchOptions, Progress } from '../options.js';
import type { SuiteResult } from '../report.js';
import { openSetup } from '../harness/setup.js';
import { filterRows } from '../measure/targets.js';

const GOOD = 0.8;
const PROMISED = ['one series, 30 days', 'one series, 30 days, gzip'];

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
      tables: [...besideTables(measured), csvTable(csv)],
      criteria: [
        ...besideCriteria(measured, { reference: 'bare', good: GOOD, names: PROMISED }),
        ...csvCriteria(csv),
      ],
      notes: BESIDE_NOTES,
      figures: { beside: besideFigures(measured), csv },
    };
  } finally {
    await setup.close();
  }
}
