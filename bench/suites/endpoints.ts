/**
 * What does the service cost beside other servers with the same answers?
 *
 * An answer: for every endpoint, the requests per second and the server's CPU time per request, each as a ratio to a bare
 * uWebSockets.js server that has the bytes in memory, and to nginx that has them in files; for some of them also to what a
 * team would otherwise write, Fastify on the same local copy. All are measured in the same rounds,
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
  checkReference,
  measureBeside,
  type Reference,
} from '../measure/beside.js';
import { serverCore, smallBodiesClient } from '../measure/contest.js';
import { endpointRows, entityTag, type Row } from '../measure/targets.js';
import { startFileServer, startReference } from '../harness/references.js';
import { openSetup, type Setup } from '../harness/setup.js';
import type { BenchOptions, Progress } from '../options.js';
import { findNginx } from '../references/nginx.js';
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
    for (const reference of references) {
      progress(`comparing with ${reference.name}`);
      await checkReference(service, rows, reference);
    }
    const client = await smallBodiesClient(options);
    const order = { service, rows, references, client, cpu };
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
  const fastify = await startReference('fastify', { directory: copy, etag }, { cpu });
  references.push({ name: 'fastify', server: fastify, targets });
  const program = await findNginx();
  if (program === undefined) return ['nginx is missing, and was not measured.'];
  const withFiles = rows.filter(({ name }) => !WITHOUT_FILES.test(name));
  references.push(await startFileServer(program, withFiles, { port: service.port, cpu }));
  return [];
}

/** The folder of the only local copy below a folder. */
async function onlyCopy(local: string): Promise<string> {
  const names = await readdir(local, { recursive: true });
  const found = names.find((name) => path.basename(name) === 'data.mdb');
  if (found === undefined) throw new Error(`no local copy in ${local}`);
  return path.join(local, path.dirname(found));
}
