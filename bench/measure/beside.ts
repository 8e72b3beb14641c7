/** Measures rows of requests to the service, each beside other servers with the same answers, and makes tables of them. */
import {
  hold,
  pairIn,
  scoreIn,
  type ClientName,
  type Contest,
  type Contestant,
  type Pair,
  type Score,
  type Scores,
} from './contest.js';
import type { BenchOptions, Progress } from '../options.js';
import type { Target } from '../harness/exchange.js';
import type { Server, Service } from '../harness/processes.js';
import { startReference } from '../harness/references.js';
import { atLeast } from '../criteria.js';
import { fixed, spreadText, whole, type Criterion, type Table } from '../report.js';
import { checkSameAnswers, checkSameBodies } from './same-answers.js';
import { row, type Row } from './targets.js';

const CEILING = 'client ceiling';

/** Notes on how to read the tables and targets. */
export const BESIDE_NOTES: readonly string[] = [
  'A cell a/b is service/reference. Ratios are service over reference for requests per second, reference over service for CPU time: 1.00 is as good as the reference, medians of the rounds, smallest and largest in brackets.',
  'Limit: whose CPU was used up. Where it is the client, requests per second compare the client with itself, and CPU time per request is what tells.',
];

/** Another server that has the answers to some rows, with bodies that were compared with the service's. */
export interface Reference {
  readonly name: string;
  readonly server: Server;
  /** How it is asked for what each row asks for, by the row's name. */
  readonly targets: ReadonlyMap<string, readonly Target[]>;
}

/** Compares the bodies of a reference with the service's, as far as it has the rows. @throws when one differs. */
export async function checkReference(
  service: Server,
  rows: readonly Row[],
  { server, targets }: Reference,
): Promise<void> {
  const ports = { service: service.port, reference: server.port };
  for (const row of rows) {
    const others = targets.get(row.name) ?? [];
    const pairs = others.flatMap((reference, at) => {
      const own = row.targets[at];
      return own === undefined ? [] : [{ service: own, reference }];
    });
    await checkSameBodies(ports, pairs);
  }
}

interface Measured {
  readonly row: string;
  /** The average over the row's targets. */
  readonly bodyBytes: number;
  /** Names of the other servers that were measured. */
  readonly references: readonly string[];
}

export interface Beside {
  readonly client: ClientName;
  readonly rows: readonly Measured[];
  readonly scores: Scores;
}

export interface BesideOrder {
  readonly service: Service;
  readonly rows: readonly Row[];
  /** Beside a bare server, which each row has. */
  readonly references?: readonly Reference[];
  readonly client: ClientName;
  /** The core of all servers; undefined for any. */
  readonly cpu: number | undefined;
}

/**
 * Starts a bare server for each row, checks that it answers as the service does, and measures all rows.
 *
 * @throws when answers differ or requests fail.
 */
export async function measureBeside(
  { service, rows, references = [], client, cpu }: BesideOrder,
  options: BenchOptions,
  progress: Progress,
): Promise<Beside> {
  const started: Server[] = [];
  const start = async (servicePort: number, targets: Row['targets']): Promise<Server> => {
    const bare = await startReference('bare', { servicePort, targets }, { cpu });
    started.push(bare);
    return bare;
  };
  try {
    const contests: Contest[] = [];
    const measured: Measured[] = [];
    for (const { name, targets } of rows) {
      const bare = await start(service.port, targets);
      const ports = { service: service.port, reference: bare.port };
      const bodyBytes = await checkSameAnswers(ports, targets);
      const others = [
        { name: 'bare', server: bare, targets },
        ...references.flatMap(({ name: other, server, targets: by }): Contestant[] => {
          const own = by.get(name);
          return own === undefined ? [] : [{ name: other, server, targets: own }];
        }),
      ];
      measured.push({ row: name, bodyBytes, references: others.map((other) => other.name) });
      contests.push({
        name,
        contestants: [{ name: 'service', server: service, targets }, ...others],
      });
    }
    const { targets } = row(CEILING, ['/']);
    const server = await start(0, targets);
    contests.push({ name: CEILING, contestants: [{ name: 'bare', server, targets }] });
    const scores = await hold(contests, client, options, progress);
    return { client, rows: measured, scores };
  } finally {
    await Promise.all(started.map((reference) => reference.stop()));
  }
}

/** One table for each reference. */
export function besideTables({ client, rows, scores }: Beside): readonly Table[] {
  const references = [...new Set(rows.flatMap((measured) => measured.references))];
  const { requestsPerSecond, limit } = scoreIn(scores, CEILING, 'bare');
  const ceiling = `its own ceiling, for a body of two bytes: ${whole(requestsPerSecond.median)} requests/s (limit: ${limit})`;
  return references.map((reference) =>
    pairsTable(
      `Service/${reference}, ${client}; ${ceiling}`,
      rows
        .filter((measured) => measured.references.includes(reference))
        .map(({ row: name, bodyBytes }) => {
          return { name, bodyBytes, pair: pairIn(scores, name, reference) };
        }),
    ),
  );
}

/** A table of the service beside one reference. */
export function pairsTable(
  title: string,
  rows: readonly { readonly name: string; readonly bodyBytes: number; readonly pair: Pair }[],
): Table {
  return {
    title,
    columns: [
      'request',
      'bytes',
      'requests/s',
      'MB/s',
      'ratio',
      'p50 ms',
      'p99 ms',
      'CPU us/request',
      'CPU ratio',
      'limit',
    ],
    rows: rows.map(({ name, bodyBytes, pair }) => {
      const both = (figure: (score: Score) => string): string =>
        `${figure(pair.service)}/${figure(pair.reference)}`;
      return [
        name,
        whole(bodyBytes),
        both((score) => whole(score.requestsPerSecond.median)),
        both((score) => whole(score.bytesPerSecond.median / 1e6)),
        spreadText(pair.throughputRatio),
        both((score) => fixed(score.p50Us / 1000, 2)),
        both((score) => fixed(score.p99Us / 1000, 2)),
        both((score) => fixed(score.serverCpuUs.median, 1)),
        spreadText(pair.cpuRatio),
        both((score) => score.limit),
      ];
    }),
  };
}

/** Criteria that rows reach a ratio of requests per second; default all rows that the reference has. */
export function besideCriteria(
  { client, rows, scores }: Beside,
  order: {
    readonly reference: string;
    readonly good: number;
    readonly names?: readonly string[];
  },
): readonly Criterion[] {
  const { reference, good, names } = order;
  return rows
    .filter(
      (measured) =>
        measured.references.includes(reference) && names?.includes(measured.row) !== false,
    )
    .map(({ row: name }) =>
      atLeast(
        `${name}: requests/s beside ${reference}, ${client}`,
        good,
        pairIn(scores, name, reference).throughputRatio,
      ),
    );
}

/** Everything measured, for the JSON. */
export function besideFigures({ client, rows, scores }: Beside): unknown {
  return {
    client,
    ceiling: scoreIn(scores, CEILING, 'bare'),
    rows: rows.map((measured) => ({
      ...measured,
      beside: Object.fromEntries(
        measured.references.map((reference) => [
          reference,
          pairIn(scores, measured.row, reference),
        ]),
      ),
    })),
  };
}
