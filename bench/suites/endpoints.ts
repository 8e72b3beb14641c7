/**
 * What does the service cost beside other servers with the same answers?
 *
 * An answer: for every endpoint, the requests per second and the server's CPU time per request, each as a ratio to a bare
 * uWebSockets.js server that has the bytes in memory, and to nginx that has them in files; for some of them also to what a
 * team would otherwise write, on the same local copy: Fastify, and plain `node:http`. All are measured in the same rounds,
 * and the answer says which side was the limit. Good is 0.95 of bare and 0.9 of nginx, and four times Fastify: the rest is
 * what routing, checking, leasing and reading cost.
 */
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import {
  BESIDE_NOTES,
  besideCriteria,
  besideFigures,
  besideTables,
  measureBeside,
  type Reference,
} from '../measure/beside.js';
import { hasWrk } from '../clients/wrk.js';
import { serverCore } from '../measure/contest.js';
import { checkSameBodies } from '../measure/same-answers.js';
import { endpointRows, entityTag, type Row } from '../measure/targets.js';
import { ask, type Target } from '../harness/exchange.js';
import type { Server } from '../harness/processes.js';
import { startOnLocalCopy } from '../harness/references.js';
import { openSetup, type Setup } from '../harness/setup.js';
import type { BenchOptions, Progress } from '../options.js';
import { findNginx, startNginx } from '../references/nginx.js';
import type { SuiteResult } from '../report.js';

/** Rows without data, which a file server does not have. */
const WITHOUT_FILES = /^\/health|304$/;
/** What a team's own server is measured with. */
const OF_A_TEAM = /^\/(meta|stations|measurements)\b(?!.*series)/;
const GOOD = { bare: 0.95, nginx: 0.9, fastify: 4 };

export async function runEndpoints(
  options: BenchOptions,
  progress: Progress,
): Promise<SuiteResult> {
  const cpu = serverCore(options);
  const [shape = '105k'] = options.rows;
  const setup = await openSetup({ snapshots: [{ shape, version: 1 }], cpu, progress });
  const references: Reference[] = [];
  try {
    const { service } = setup;
    const rows = await endpointRows(service.port);
    const missing = await startReferences(references, { setup, rows, cpu });
    for (const { name, server, targets } of references) {
      progress(`comparing with ${name}`);
      const ports = { service: service.port, reference: server.port };
      for (const row of rows) await checkSameBodies(ports, pairsOf(row, targets.get(row.name)));
    }
    const client = options.wrk && (await hasWrk()) ? 'wrk' : 'autocannon';
    const order = { service, rows, references, clients: [client], cpu } as const;
    const measured = await measureBeside(order, options, progress);
    return {
      suite: 'endpoints',
      question: `what does the service cost beside other servers with the same answers? (${shape} rows)`,
      tables: besideTables(measured),
      criteria: [
        ...besideCriteria(measured, {
          reference: 'bare',
          good: GOOD.bare,
          names: rows.map(({ name }) => name).filter((name) => !name.startsWith('/health')),
        }),
        ...besideCriteria(measured, { reference: 'nginx', good: GOOD.nginx }),
        ...besideCriteria(measured, {
          reference: 'fastify',
          good: GOOD.fastify,
          names: ['/measurements, 30d'],
        }),
      ],
      notes: [...BESIDE_NOTES, ...missing],
      figures: besideFigures(measured),
    };
  } finally {
    await Promise.all(references.map(({ server }) => server.stop()));
    await setup.close();
  }
}

interface Started {
  readonly setup: Setup;
  readonly rows: readonly Row[];
  readonly cpu: number | undefined;
}

/** Adds every reference as soon as it is started; answers notes on those that are not there. */
async function startReferences(
  references: Reference[],
  { setup, rows, cpu }: Started,
): Promise<readonly string[]> {
  const { service, directory } = setup;
  const etag = await entityTag(service.port);
  const copy = await onlyCopy(path.join(directory, 'local'));
  const own = rows.filter(({ name }) => OF_A_TEAM.test(name));
  const targets = new Map(own.map((row) => [row.name, row.targets]));
  for (const name of ['fastify', 'node-server'] as const) {
    const server = await startOnLocalCopy(name, { directory: copy, etag }, cpu);
    references.push({ name, server, targets });
  }
  const program = await findNginx();
  if (program === undefined) return ['nginx is missing, and was not measured.'];
  references.push(
    await startFileServer(
      program,
      rows.filter(({ name }) => !WITHOUT_FILES.test(name)),
      { port: service.port, cpu },
    ),
  );
  return [];
}

/** nginx with the service's bodies as files. */
async function startFileServer(
  program: string,
  rows: readonly Row[],
  { port, cpu }: { readonly port: number; readonly cpu: number | undefined },
): Promise<Reference> {
  const files = new Map<string, Buffer>();
  const targets = new Map<string, Target[]>();
  for (const [index, row] of rows.entries()) {
    const own: Target[] = [];
    for (const [at, target] of row.targets.entries()) {
      const { headers } = target;
      const name = `${index}-${at}.json`;
      const isGzip = headers['Accept-Encoding'] !== undefined;
      files.set(isGzip ? `${name}.gz` : name, (await ask(port, target)).body);
      own.push({ path: `/${name}`, headers });
    }
    targets.set(row.name, own);
  }
  const server: Server = await startNginx(program, files, cpu);
  return { name: 'nginx', server, targets };
}

function pairsOf(
  row: Row,
  targets: readonly Target[] = [],
): readonly { readonly service: Target; readonly reference: Target }[] {
  return targets.flatMap((reference, at) => {
    const service = row.targets[at];
    return service === undefined ? [] : [{ service, reference }];
  });
}

/** The folder of the only local copy below a folder. */
async function onlyCopy(local: string): Promise<string> {
  const names = await readdir(local, { recursive: true });
  const found = names.find((name) => path.basename(name) === 'data.mdb');
  if (found === undefined) throw new Error(`no local copy in ${local}`);
  return path.join(local, path.dirname(found));
}
