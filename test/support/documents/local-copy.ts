/** A local copy with prepared observations, without an import. */
import type { Test } from 'tap';
import { copyDirectory } from '../../../src/snapshot/local/copies.js';
import { CopyWriter } from '../../../src/snapshot/local/writer.js';
import type { Component, Observations } from '../../../src/snapshot/domain/model.js';
import { inObservationOrder } from '../../../src/snapshot/domain/observation-order.js';
import { ObservationsWriter } from '../../../src/workers/jobs/import/observations-writer.js';
import { renderObservations } from '../../../src/workers/jobs/import/render-observations.js';
import { component, HEADER, observationColumns } from '../expected/observation-columns.js';

/** A copy with one observation, of one station. */
export async function writeSmallCopy(t: Test): Promise<string> {
  const observations = observationColumns([{ stationId: 1, componentId: 1, rows: [[496_000, 1]] }]);
  return await writeObservationsCopy(t, { components: [component(1, 'PM10')], observations });
}

/** Writes a copy of `HEADER`'s snapshot. @returns its directory. */
async function writeObservationsCopy(
  t: Test,
  { components, observations }: { components: readonly Component[]; observations: Observations },
): Promise<string> {
  const directory = t.testdir();
  const { snapshotId } = HEADER;
  const name = { snapshotId, documentSha256: 'e3b0c442', build: 'abcd0123' };
  const writer = await CopyWriter.create(directory, name);
  const written = new ObservationsWriter(writer, observations);
  const series = inObservationOrder(observations.series, components);
  const { generatedAtMs } = HEADER;
  // Two parts, as imports have several.
  for (const part of [series.slice(0, 2), series.slice(2)]) {
    const task = { generatedAtMs, components, observations: { ...observations, series: part } };
    written.append(renderObservations(task));
  }
  written.finish();
  await writer.finish(HEADER);
  return copyDirectory(directory, name);
}
