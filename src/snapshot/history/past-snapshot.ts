/** The stored part of a past snapshot: public stations, parameter codes and rows. */
import type { Hours, Snapshot } from '../domain/model.js';
import { inObservationOrder } from '../domain/observation-order.js';
import type { SelectableStation } from '../domain/selection.js';
import type { PastHead } from './history.js';

export interface PastSeries {
  readonly stationId: number;
  readonly parameterCode: string;
  /** Ascending. */
  readonly hours: Hours;
  /** One for each hour; NaN for null. */
  readonly values: Float64Array;
}

export interface PastSnapshot extends PastHead {
  readonly stations: readonly SelectableStation[];
  readonly parameterCodes: readonly string[];
  readonly series: readonly PastSeries[];
}

/** @param snapshot the public part; the columns of the result are views of its columns. */
export function pastOf(snapshot: Snapshot, documentSha256: string): PastSnapshot {
  const { header, components, stations, observations } = snapshot;
  return {
    snapshotId: header.snapshotId,
    documentSha256,
    generatedAtMs: header.generatedAtMs,
    measurementRows: header.counts.measurement_rows,
    stations: stations.map(({ id, active, municipality, stationType, latitude, longitude }) => ({
      id,
      active,
      municipality,
      stationType,
      latitude,
      longitude,
    })),
    parameterCodes: components.map(({ shortName }) => shortName),
    series: inObservationOrder(observations.series, components).map(
      ({ stationId, parameterCode, start, end }) => ({
        stationId,
        parameterCode,
        hours: observations.hours.subarray(start, end),
        values: observations.values.subarray(start, end),
      }),
    ),
  };
}
