/** Renders the answers of the high-value-dataset API, except observations, in the main thread of the import. */
import { answerKey } from '../../../snapshot/local/keys.js';
import type { FilterableStation, LatestObservation } from '../../../snapshot/local/records.js';
import type { StoredAnswer } from '../../../snapshot/local/writer.js';
import type { Organization, Snapshot } from '../../../snapshot/domain/model.js';
import { inObservationOrder } from '../../../snapshot/domain/observation-order.js';
import { viewBulkIndex, type BulkResource } from '../../../views/hvd/bulk.js';
import { viewDescriptor } from '../../../views/hvd/descriptor.js';
import { createObservationJson } from '../../../views/hvd/observation.js';
import { viewHvdParameters, viewHvdStations } from '../../../views/hvd/station-records.js';
import { jsonAnswer } from '../../formats/answers.js';

/** Answers that do not depend on parameters. */
export function renderHvdAnswers(
  { header, components }: Snapshot,
  bundle: readonly BulkResource[],
): readonly StoredAnswer[] {
  return [
    jsonAnswer(answerKey.hvdDescriptor, viewDescriptor(header)),
    jsonAnswer(answerKey.hvdParameters, viewHvdParameters(components)),
    jsonAnswer(answerKey.bulkIndex, viewBulkIndex(header, bundle)),
  ];
}

/** Stations, ascending by id, each with the text of its record and the members that filters need. */
export function filterableStations(snapshot: Snapshot): readonly FilterableStation[] {
  return viewHvdStations(snapshot.stations, snapshot).map((record) => ({
    text: JSON.stringify(record),
    id: Number(record.station_id),
    name: record.station_name,
    active: record.active,
    municipality: record.municipality ?? undefined,
    stationType: record.station_type ?? undefined,
    latitude: record.latitude ?? undefined,
    longitude: record.longitude ?? undefined,
  }));
}

/** The newest record with a value of each series, in the order of the observations. */
export function latestObservations(snapshot: Snapshot): readonly LatestObservation[] {
  const { header, components, observations } = snapshot;
  const { hours, values, publishedAtMs, updatedAtMs } = observations;
  const rendererOf = createObservationJson(header.generatedAtMs);
  return inObservationOrder(observations.series, components).flatMap((series) => {
    let row = series.end - 1;
    while (row >= series.start && Number.isNaN(values[row] ?? NaN)) row -= 1;
    if (row < series.start) return [];
    const { stationId, parameterCode } = series;
    const render = rendererOf(series);
    const hour = hours[row] ?? 0;
    const text = render(hour, values[row] ?? NaN, publishedAtMs?.[row], updatedAtMs?.[row]);
    return [{ stationId: String(stationId), parameterCode, hour, text }];
  });
}

/** The publishing organization: that of the first station, or else the first one. */
export function publisherOf({ organizations, stations }: Snapshot): Organization | undefined {
  return organizations.find(({ id }) => id === stations[0]?.organizationId) ?? organizations[0];
}
