/**
 * What does the service cost beside a server that has the same bytes in memory and nothing else to do?
 *
 * An answer: for every endpoint, the requests per second and the server's CPU time per request, each as a ratio to
 * a bare uWebSockets.js server in the same run, with the client that was used and which side was the limit. Good is
 * 0.85 and more: the rest is what routing, checking, leasing and reading cost.
 */
import {
  BESIDE_BARE_NOTES,
  besideBareCriteria,
  besideBareFigures,
  besideBareTables,
  measureBesideBare,
} from '../measure/beside-bare.js';
import { hasWrk } from '../clients/wrk.js';
import { serverCore, type ClientName } from '../measure/contest.js';
import type { BenchOptions, Progress } from '../options.js';
import type { SuiteResult } from '../report.js';
import { openSetup } from '../harness/setup.js';
import { endpointRows } from '../measure/targets.js';

const GOOD = 0.85;

/** The rows for which the service promises a ratio. */
const PROMISED = ['/measurements, 30d', '.../last_24h', '/meta', '/stations'];

export async function runEndpoints(
  options: BenchOptions,
  progress: Progress,
): Promise<SuiteResult> {
  const cpu = serverCore(options);
  const [shape = '105k'] = options.rows;
  const setup = await openSetup({ snapshots: [{ shape, version: 1 }], cpu, progress });
  try {
    const { service } = setup;
    const rows = await endpointRows(service.port);
    const clients: ClientName[] = ['autocannon'];
    if (options.wrk && (await hasWrk())) clients.push('wrk');
    const measured = await measureBesideBare({ service, rows, clients, cpu }, options, progress);
    return {
      suite: 'endpoints',
      question: `what does the service cost beside a bare server with the same bytes? (${shape} rows)`,
      tables: besideBareTables(measured),
      criteria: besideBareCriteria(measured, { names: PROMISED, good: GOOD }),
      notes: BESIDE_BARE_NOTES,
      figures: besideBareFigures(measured),
    };
  } finally {
    await setup.close();
  }
}
