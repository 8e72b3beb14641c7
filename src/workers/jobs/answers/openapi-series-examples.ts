/** Examples of the OpenAPI document that belong to one series, and the parameters that ask for them. */
import { answerKey } from '../../../snapshot/local/keys.js';
import type { FilterableStation } from '../../../snapshot/local/records.js';
import type { SnapshotReader } from '../../../snapshot/local/reader.js';
import { STATION_TYPES, type Window } from '../../../snapshot/domain/model.js';
import { HOUR_MS, utcDateTime } from '../../../snapshot/domain/windows.js';
import type { BoundingBox } from '../../../views/hvd/bounding-box.js';
import type { Examples } from '../../../views/openapi/places.js';
import { EXPORT_WINDOWS } from '../../../views/export-table.js';
import { openSnapshot } from '../../open-snapshot.js';
import type { ObservationsQuery, Plan, SnapshotLocation } from '../../messages.js';
import { planLatest } from './plan-latest.js';
import { planObservations } from './plan-observations.js';
import { planStations } from './plan-stations.js';
import { answerText } from './read-finished.js';
import { isList, member, parse, shortened, textOf } from './short-answers.js';

/** The example series: the first whose newest value is of the last 24 hours, else the first that has any value. */
export function seriesExamples(location: SnapshotLocation): Examples {
  const { reader, series } = openSnapshot(location);
  const { generatedAtMs } = reader.header;
  const candidates = reader.latest().map(({ stationId, parameterCode, text }) => {
    const start = member(parse(text), 'time_start_utc');
    return { stationId, parameterCode, startMs: typeof start === 'string' ? Date.parse(start) : 0 };
  });
  const isRecent = ({ startMs }: { readonly startMs: number }): boolean =>
    startMs >= generatedAtMs - 24 * HOUR_MS;
  const chosen = candidates.find(isRecent) ?? candidates[0];
  if (chosen === undefined) return {};
  const { stationId, parameterCode, startMs } = chosen;
  const window = { from: startMs - HOUR_MS, to: startMs + HOUR_MS };
  const query = { ...window, stationId, parameterCode };
  const chosenSeries = series.byStation
    .get(stationId)
    ?.find((one) => one.parameterCode === parameterCode);
  return {
    hvdStationId: stationId,
    parameterCode,
    from: utcDateTime(window.from),
    to: utcDateTime(window.to),
    ...ofObservations(location, query),
    ...ofFilter(location, stationId),
    ...(chosenSeries && ofLegacy(reader, chosenSeries)),
  };
}

function ofObservations(location: SnapshotLocation, query: ObservationsQuery): Examples {
  const { stationId, parameterCode } = query;
  const plan = (form: 'json' | 'ndjson'): Plan =>
    planObservations({ location, gzip: false, query, form });
  const list = plan('json');
  return {
    listObservations: parse(textOf(list)),
    streamObservations: textOf(plan('ndjson')),
    listLatestObservations: parse(
      textOf(planLatest({ location, gzip: false, stationId, parameterCode })),
    ),
    ...(list.records !== undefined && { recordCount: list.records }),
  };
}

/** Filters that the station passes. */
function ofFilter(location: SnapshotLocation, stationId: string): Examples {
  const station = openSnapshot(location)
    .reader.stations()
    .find(({ text }) => member(parse(text), 'station_id') === stationId);
  if (station === undefined) return {};
  const { municipality } = station;
  const stationType = STATION_TYPES.find((type) => type === station.stationType);
  const box = boxAround(station);
  const filters = { active: undefined, municipality, stationType, box };
  return {
    ...(municipality !== undefined && { municipality }),
    ...(stationType !== undefined && { stationType }),
    ...(box && { boundingBox: [box.west, box.south, box.east, box.north].join(',') }),
    listHvdStations: shortened(parse(textOf(planStations({ location, gzip: false, ...filters })))),
  };
}

/** A tenth of a degree wide and high, or as much as the globe has. */
function boxAround({ latitude, longitude }: FilterableStation): BoundingBox | undefined {
  if (latitude === undefined || longitude === undefined) return undefined;
  const near = (degrees: number, limit: number): number =>
    Number(Math.min(Math.max(degrees, -limit), limit).toFixed(2));
  return {
    west: near(longitude - 0.05, 180),
    south: near(latitude - 0.05, 90),
    east: near(longitude + 0.05, 180),
    north: near(latitude + 0.05, 90),
  };
}

function ofLegacy(
  reader: SnapshotReader,
  { stationId, componentId }: { readonly stationId: number; readonly componentId: number },
): Examples {
  const organizationId = organizationOf(reader, stationId);
  if (organizationId === undefined) return {};
  const station = { organizationId, stationId };
  const hasPoints = (window: Window): boolean =>
    answerText(reader, answerKey.timeSeries({ ...station, componentId, window })) !== undefined;
  const window = (['1d', ...reader.header.supportedWindows] as const).find(hasPoints);
  const exportWindow = EXPORT_WINDOWS.find(hasPoints);
  return {
    organizationId,
    stationId,
    componentId,
    ...(window && { window }),
    ...(exportWindow && { exportWindow }),
    ...present({
      listOrganizationStations: answerText(reader, answerKey.organizationStations(organizationId)),
      getStationMetadata: answerText(reader, answerKey.stationMetadata(station)),
      getLastHour: answerText(reader, answerKey.lastHour(station)),
      getLast24Hours: answerText(reader, answerKey.last24Hours(station)),
      getMeasurements:
        window && answerText(reader, answerKey.timeSeries({ ...station, componentId, window })),
    }),
  };
}

function organizationOf(reader: SnapshotReader, stationId: number): number | undefined {
  const stations = parse(answerText(reader, answerKey.stations) ?? '[]');
  if (!isList(stations)) return undefined;
  const station = stations.find((one) => member(one, 'station_id') === stationId);
  const organizationId = member(station, 'organization_id');
  return typeof organizationId === 'number' ? organizationId : undefined;
}

/** Texts of answers as examples; without those that are not there. */
function present(texts: Readonly<Record<string, string | undefined>>): Examples {
  return Object.fromEntries(
    Object.entries(texts).flatMap(([name, text]) =>
      text === undefined ? [] : [[name, shortened(parse(text))]],
    ),
  );
}
