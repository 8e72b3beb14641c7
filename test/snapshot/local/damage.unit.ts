/** Bytes of a local copy that change under its readers: what is read is as it was written, or known to be damaged. */
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import t from 'tap';
import { copyDirectory } from '../../../src/snapshot/local/copies.js';
import { CopyWriter } from '../../../src/snapshot/local/writer.js';
import { inObservationOrder } from '../../../src/snapshot/domain/observation-order.js';
import { ObservationsWriter } from '../../../src/workers/jobs/import/observations-writer.js';
import { renderObservations } from '../../../src/workers/jobs/import/render-observations.js';
import { scaled } from '../../support/faults/chance.js';
import { spawnPlain } from '../../support/service/plain-node.js';
import {
  component,
  HEADER,
  LAST_HOUR,
  observationColumns,
} from '../../support/expected/observation-columns.js';

/** Single bytes that are changed, one after the other; the sample is the same for the same seed. */
const CHANGES = Number(process.env['DAMAGE_CHANGES'] ?? scaled(150));
const SEED = Number(process.env['DAMAGE_SEED'] ?? Date.now() % 1_000_000);

const PROGRAM = resolve('build/test/support/readers/flip-bytes.js');

void t.test(`${CHANGES} changes of a byte (seed ${SEED})`, async (t) => {
  const stored = Array.from({ length: 300 }, (_, at) => `1/${at}/1/7d`);
  const directory = await writeCopy(t.testdir(), stored);
  // A name that was never there stays unknown, whatever is damaged.
  const names = JSON.stringify([...stored, '1/300/1/7d', 'x']);
  const file = join(directory, 'data.mdb');
  const whole = await readFile(file);
  const outcomes = { same: 0, found: 0, ended: 0 };
  for (let from = 0; from < CHANGES;) {
    const lines = await run([directory, names, String(SEED), String(from), String(CHANGES)]);
    for (const line of lines) {
      const [, change, outcome] = /^(\d+) (.*)/.exec(line) ?? [];
      if (change === undefined) continue;
      from = Number(change) + 1;
      if (outcome === 'same' || outcome === 'found') outcomes[outcome] += 1;
      else t.fail(line);
    }
    if (from >= CHANGES) break;
    // LMDB has ended the process, which the service survives: the next one goes on behind this change.
    if (lines.at(-1) !== String(from))
      throw new Error(`ended outside of a change: ${lines.at(-1)}`);
    await writeFile(file, whole);
    outcomes.ended += 1;
    from += 1;
  }
  t.comment(JSON.stringify(outcomes));
  t.ok(outcomes.found > CHANGES / 4, 'many of them were met');
});

/** The lines of one run, which ends where it is done or where its process dies. */
async function run(args: readonly string[]): Promise<readonly string[]> {
  const child = spawnPlain(
    [process.execPath, PROGRAM, ...args],
    {},
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  assert(child.stdout !== null);
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) lines.push(line);
  return lines;
}

async function writeCopy(directory: string, names: readonly string[]): Promise<string> {
  const name = { snapshotId: HEADER.snapshotId, build: 'abcd0123' };
  const writer = await CopyWriter.create(directory, name);
  const rows = Array.from({ length: 240 }, (_, at) => [LAST_HOUR - 240 + at, at / 3] as const);
  const components = [component(1, 'PM10')];
  const observations = observationColumns(
    [1, 2, 3].map((stationId) => ({ stationId, componentId: 1, rows })),
  );
  const series = inObservationOrder(observations.series, components);
  const { generatedAtMs } = HEADER;
  const written = new ObservationsWriter(writer, observations);
  const task = { generatedAtMs, components, observations: { ...observations, series } };
  written.append(renderObservations(task));
  written.finish();
  writer.putAnswers(
    names.map((name, at) => {
      const identity = Buffer.from(JSON.stringify({ name, value: 'x'.repeat(at * 7) }));
      return at % 3 === 0 ? { name, identity } : { name, identity, gzip: Buffer.from(`${at}`) };
    }),
  );
  await writer.finish(HEADER, 'e3b0c442');
  return copyDirectory(directory, name);
}
