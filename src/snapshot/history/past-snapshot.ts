/** What is kept of a snapshot that is not served any more: its public stations, parameter codes and rows. */
import type { Snapshot, Station } from '../domain/model.js';
import { inObservationOrder } from '../domain/observation-order.js';

/** What selections go by. */
export type PastStation = Pick<
  Station,
  | 'id'
  | 'organizationId'
  | 'networkId'
  | 'active'
  | 'municipality'
  | 'stationType'
  | 'latitude'
  | 'longitude'
>;

/** The rows of one station and parameter. */
export interface PastSeries {
  readonly stationId: number;
  readonly parameterCode: string;
  /** Since the epoch, UTC; ascending. */
  readonly hours: Int32Array;
  /** One for each hour; NaN for null. */
  readonly values: Float64Array;
}

export interface PastSnapshot {
  readonly snapshotId: string;
  /** Epoch milliseconds, UTC. */
  readonly generatedAtMs: number;
  /** The document's own count. */
  readonly measurementRows: number;
  /** Ascending by id. */
  readonly stations: readonly PastStation[];
  readonly parameterCodes: readonly string[];
  /** In the order of the observations (`docs/http-api.md, "Order"`). */
  readonly series: readonly PastSeries[];
}

/** @param snapshot its public part. The columns are views of its own. */
export function pastOf(snapshot: Snapshot): PastSnapshot {
  const { header, components, stations, observations } = snapshot;
  return {
    snapshotId: header.snapshotId,
    generatedAtMs: header.generatedAtMs,
    measurementRows: header.counts.measurement_rows,
    stations: stations.map(pastStation),
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

/** Without what a selection does not ask for. */
function pastStation(station: Station): PastStation {
  const { id, organizationId, networkId, active } = station;
  const { municipality, stationType, latitude, longitude } = station;
  return {
    id,
    organizationId,
    networkId,
    active,
    ...(municipality === undefined ? {} : { municipality }),
    ...(stationType === undefined ? {} : { stationType }),
    ...(latitude === undefined ? {} : { latitude }),
    ...(longitude === undefined ? {} : { longitude }),
  };
}
