/** A local copy with prepared observations, without an import. */
import type { Test } from 'tap';
import { copyDirectory } from '../../../src/snapshot/local/copies.js';
import { CopyWriter } from '../../../src/snapshot/local/writer.js';
import { ObservationsWriter } from '../../../src/workers/jobs/import/observations-writer.js';
import { renderObservations } from '../../../src/workers/jobs/import/render-observations.js';
import { component, HEADER, observationColumns } from '../expected/observation-columns.js';

/** Writes a copy of `HEADER`'s snapshot, with one observation of one station. @returns its directory. */
export async function writeSmallCopy(t: Test): Promise<string> {
  const directory = t.testdir();
  const { snapshotId } = HEADER;
  const name = { snapshotId, documentSha256: 'e3b0c442', build: 'abcd0123' };
  const components = [component(1, 'PM10')];
  const observations = observationColumns([{ stationId: 1, componentId: 1, rows: [[496_000, 1]] }]);
  const writer = await CopyWriter.create(directory, name);
  const written = new ObservationsWriter(writer, observations);
  written.append(renderObservations({ header: HEADER, components, observations }));
  written.finish();
  await writer.finish(HEADER);
  return copyDirectory(directory, name);
}
