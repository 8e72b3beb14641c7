/** The observations of a snapshot as CSV, in chunks that are written as they are made. */
import type { Observations, SnapshotHeader } from '../../snapshot/domain/model.js';
import type { ParameterSeries } from '../../snapshot/domain/observation-order.js';
import { csvLine } from '../../views/csv.js';
import { fieldNames } from '../../views/hvd/fields.js';
import { createObservationCsv } from '../../views/hvd/observation.js';

/** Longer chunks are no faster: written and hashed 256 kB at a time, the calls cost nothing. */
const PIECE_CHARACTERS = 256 * 1024;

/**
 * Header and rows as UTF-8.
 *
 * @param series in observation order.
 */
export function* observationsCsv(options: {
  readonly header: SnapshotHeader;
  readonly observations: Observations;
  readonly series: readonly ParameterSeries[];
}): Generator<Uint8Array, void, undefined> {
  const { hours, values, publishedAtMs, updatedAtMs } = options.observations;
  const rendererOf = createObservationCsv(options.header.generatedAtMs);
  let text = csvLine(fieldNames('observations'));
  for (const series of options.series) {
    const render = rendererOf(series);
    for (let row = series.start; row < series.end; row += 1) {
      text += render(hours[row] ?? 0, values[row] ?? NaN, publishedAtMs?.[row], updatedAtMs?.[row]);
      if (text.length < PIECE_CHARACTERS) continue;
      yield Buffer.from(text);
      text = '';
    }
  }
  yield Buffer.from(text);
}
