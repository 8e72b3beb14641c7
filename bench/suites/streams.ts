/**
 * Is the whole dataset served as fast as a file server can?
 *
 * An answer: MB/s of both observations endpoints without filters, gzip and identity, over one connection and over
 * eight, as a ratio to nginx (one worker, `gzip_static`, `sendfile`) that serves the very same bytes from files, in
 * the same rounds; and CPU time an answer of both servers, since one client's core may be used up before theirs; and the
 * same of the bulk files. Good is 0.8 of nginx's rate for the dataset in gzip, 1.1 of it for the dataset as it is, 0.5 for the
 * dataset as CSV in gzip, and 0.85 for Parquet.
 */
import { atLeast } from '../criteria.js';
import { startFileServer } from '../harness/references.js';
import { openSetup } from '../harness/setup.js';
import { BESIDE_NOTES, checkReference, pairsTable, type Reference } from '../measure/beside.js';
import { hold, pairIn, serverCore, type Pair } from '../measure/contest.js';
import { checkSameBodies } from '../measure/same-answers.js';
import { GZIP, row, type Row } from '../measure/targets.js';
import type { BenchOptions, Progress } from '../options.js';
import { findNginx } from '../references/nginx.js';
import type { SuiteResult } from '../report.js';

const OBSERVATIONS = '/api/v1/observations';
const BULK = '/api/v1/bulk/observations_hourly_preliminary_last30days';

/** Bodies, and the shares of nginx's rate that are their targets. */
const ANSWERS: readonly (Row & { readonly good?: number })[] = [
  { ...row('observations/stream, gzip', [`${OBSERVATIONS}/stream`], GZIP), good: 0.8 },
  { ...row('observations/stream, identity', [`${OBSERVATIONS}/stream`]), good: 1.1 },
  { ...row('observations, gzip', [OBSERVATIONS], GZIP), good: 0.8 },
  { ...row('observations, identity', [OBSERVATIONS]), good: 1.1 },
  { ...row('observations.csv, gzip', [`${OBSERVATIONS}.csv`], GZIP), good: 0.5 },
  row('observations.csv, identity', [`${OBSERVATIONS}.csv`]),
  { ...row('bulk Parquet, identity', [`${BULK}.parquet`]), good: 0.85 },
  row('bulk CSV, gzip', [`${BULK}.csv`], GZIP),
  row('bulk CSV, identity', [`${BULK}.csv`]),
];

const CONNECTIONS = ['1 connection', '8 connections'] as const;

interface Measured {
  readonly name: string;
  readonly good: number | undefined;
  readonly bodyBytes: number;
  readonly pair: Pair;
}

export async function runStreams(options: BenchOptions, progress: Progress): Promise<SuiteResult> {
  const program = await findNginx();
  if (program === undefined) {
    throw new Error('NOT MEASURED: nginx is missing (on Debian: apt-get install nginx-light)');
  }
  const cpu = serverCore(options);
  const [shape = '105k'] = options.rows;
  const setup = await openSetup({ snapshots: [{ shape, version: 1 }], cpu, progress });
  let nginx: Reference | undefined;
  try {
    const { service } = setup;
    const bodyBytes = await checkCodings(service.port);
    nginx = await startFileServer(program, ANSWERS, { port: service.port, cpu });
    await checkReference(service, ANSWERS, nginx);
    const { server, targets: files } = nginx;
    const contests = ANSWERS.map(({ name, targets }) => ({
      name,
      contestants: [
        { name: 'service', server: service, targets },
        { name: 'nginx', server, targets: files.get(name) ?? [] },
      ],
    }));
    const measured: Measured[] = [];
    for (const connections of CONNECTIONS) {
      progress(connections);
      const order = { ...options, connections: Number.parseInt(connections) };
      const scores = await hold(contests, 'discard', order, progress);
      for (const { name, good } of ANSWERS) {
        const pair = pairIn(scores, name, 'nginx');
        const bytes = bodyBytes.get(name) ?? Number.NaN;
        measured.push({ name: `${name}, ${connections}`, good, bodyBytes: bytes, pair });
      }
    }
    return resultOf(shape, measured);
  } finally {
    await nginx?.server.stop();
    await setup.close();
  }
}

/** Lengths of the bodies as they are sent. @throws when a compressed one is not the other one, compressed. */
async function checkCodings(port: number): Promise<ReadonlyMap<string, number>> {
  const ports = { service: port, reference: port };
  const lengths = new Map<string, number>();
  for (const { name, targets } of ANSWERS) {
    const pairs = targets.map((service) => ({ service, reference: { ...service, headers: {} } }));
    lengths.set(name, await checkSameBodies(ports, pairs));
  }
  return lengths;
}

function resultOf(shape: string, measured: readonly Measured[]): SuiteResult {
  return {
    suite: 'streams',
    question: `is the whole dataset served as fast as a file server can? (${shape} rows)`,
    tables: [pairsTable('Service/nginx, the same bytes', measured)],
    criteria: measured.flatMap(({ name, good, pair }) =>
      good === undefined ? [] : [atLeast(`${name}: MB/s beside nginx`, good, pair.throughputRatio)],
    ),
    notes: [
      ...BESIDE_NOTES,
      'MB/s counts what goes over the wire, requests/s parts of answers too: both have the same ratio.',
    ],
    figures: measured,
  };
}
