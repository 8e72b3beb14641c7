/**
 * Real answers, short ones, for the OpenAPI document: those of one station and one parameter that have data.
 *
 * They are what the service answers when it is asked with the example values of the parameters; longer lists are
 * cut to their first two records.
 */
import { bulkFileName } from '../../snapshot/local/bundle.js';
import { answerKey } from '../../snapshot/local/keys.js';
import type { FilterableStation } from '../../snapshot/local/records.js';
import type { SnapshotReader } from '../../snapshot/local/reader.js';
import { STATION_TYPES, type JsonValue, type SnapshotHeader } from '../../snapshot/model.js';
import { HOUR_MS, utcDateTime } from '../../snapshot/windows.js';
import type { BoundingBox } from '../../views/hvd/bounding-box.js';
import { viewDataDictionary } from '../../views/hvd/dictionary.js';
import type { Examples } from '../../views/openapi/places.js';
import { borrow } from '../borrow.js';
import type { ObservationsQuery, Plan, SnapshotPlace } from '../messages.js';
import { planCatalog } from './plan-catalog.js';
import { planLatest } from './plan-latest.js';
import { planObservations } from './plan-observations.js';
import { planStations } from './plan-stations.js';

/** Records that a list of an example has at the most. */
const LIST_MAX = 2;

/** Lines of a file, its head included. */
const LINES_MAX = 3;

/** @throws {SnapshotError} `copy_damaged`. */
export function openApiExamples(place: SnapshotPlace, baseUrl: string): Examples {
  const { reader } = borrow(place);
  return {
    ...ofWholeAnswers(reader),
    ...ofFiles(reader),
    ...ofHeader(reader.header),
    getDataDictionary: shortened(parse(JSON.stringify(viewDataDictionary('en')))),
    getCatalog: shortened(parse(textOf(planCatalog({ place, gzip: false, baseUrl })))),
    ...ofSeries(place),
  };
}

function ofHeader({ snapshotId, generatedAtMs }: SnapshotHeader): Examples {
  return {
    entityTag: `W/"${snapshotId}"`,
    lastModified: new Date(generatedAtMs).toUTCString(),
    snapshotId,
    streamDisposition: `inline; filename="observations-${snapshotId}.ndjson"`,
    getLiveness: { status: 'ok', check: 'live' },
    getReadiness: { status: 'ok', check: 'ready', snapshot_id: snapshotId, store: 'ok' },
  };
}

function ofWholeAnswers(reader: SnapshotReader): Examples {
  const answer = (name: string): JsonValue => shortened(parse(finished(reader, name) ?? 'null'));
  return {
    getManifest: answer(answerKey.manifest),
    listOrganizations: answer(answerKey.organizations),
    listNetworks: answer(answerKey.networks),
    listStations: answer(answerKey.stations),
    listComponents: answer(answerKey.components),
    getDatasetDescriptor: answer(answerKey.hvdDescriptor),
    listHvdParameters: answer(answerKey.hvdParameters),
    getBulkIndex: answer(answerKey.bulkIndex),
  };
}

function ofFiles(reader: SnapshotReader): Examples {
  const files = new Map(reader.bundle().map((file) => [file.name, file]));
  const text = (name: string): string => {
    const sizeBytes = files.get(name)?.sizeBytes ?? 0;
    return Buffer.from(reader.files.read(bulkFileName(name), 0, sizeBytes)).toString('utf8');
  };
  const stations = files.get('stations.csv');
  return {
    csvFile: firstLines(text('stations.csv')),
    checksumsFile: firstLines(text('SHA256SUMS')),
    geoJsonFile: shortened(parse(text('stations.geojson'))),
    jsonFile: shortened(parse(text('parameters.json'))),
    ...(stations && {
      fileEntityTag: `"${stations.sha256}"`,
      fileSha256: stations.sha256,
      fileDigest: `sha-256=:${Buffer.from(stations.sha256, 'hex').toString('base64')}:`,
      filePart: `bytes 0-${Math.min(99, stations.sizeBytes - 1)}/${stations.sizeBytes}`,
      fileSize: `bytes */${stations.sizeBytes}`,
    }),
  };
}

/** The example series: the first whose newest value is of the last 24 hours, else the first that has any value. */
function ofSeries(place: SnapshotPlace): Examples {
  const { reader, blocks } = borrow(place);
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
  const block = blocks.byStation
    .get(stationId)
    ?.find((series) => series.parameterCode === parameterCode);
  return {
    hvdStationId: stationId,
    parameterCode,
    from: utcDateTime(window.from),
    to: utcDateTime(window.to),
    ...ofObservations(place, query),
    ...ofFilter(place, stationId),
    ...(block && ofLegacy(reader, block)),
  };
}

function ofObservations(place: SnapshotPlace, query: ObservationsQuery): Examples {
  const { stationId, parameterCode } = query;
  const plan = (form: 'json' | 'ndjson'): Plan =>
    planObservations({ place, gzip: false, query, form });
  const list = plan('json');
  return {
    listObservations: parse(textOf(list)),
    streamObservations: textOf(plan('ndjson')),
    listLatestObservations: parse(
      textOf(planLatest({ place, gzip: false, stationId, parameterCode })),
    ),
    ...(list.records !== undefined && { recordCount: list.records }),
  };
}

/** Filters that the station passes. */
function ofFilter(place: SnapshotPlace, stationId: string): Examples {
  const station = borrow(place)
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
    listHvdStations: shortened(parse(textOf(planStations({ place, gzip: false, ...filters })))),
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
  const window = (['1d', ...reader.header.supportedWindows] as const).find((one) =>
    finished(reader, answerKey.timeSeries({ ...station, componentId, window: one })),
  );
  return {
    organizationId,
    stationId,
    componentId,
    ...(window && { window }),
    ...present({
      listOrganizationStations: finished(reader, answerKey.organizationStations(organizationId)),
      getStationMetadata: finished(reader, answerKey.stationMetadata(station)),
      getLastHour: finished(reader, answerKey.lastHour(station)),
      getLast24Hours: finished(reader, answerKey.last24Hours(station)),
      getMeasurements:
        window && finished(reader, answerKey.timeSeries({ ...station, componentId, window })),
    }),
  };
}

function organizationOf(reader: SnapshotReader, stationId: number): number | undefined {
  const stations = parse(finished(reader, answerKey.stations) ?? '[]');
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

function finished(reader: SnapshotReader, name: string): string | undefined {
  const bytes = reader.answer(name, 'identity');
  return bytes && Buffer.from(bytes).toString('utf8');
}

/** Of an answer so small that its plan holds it whole. */
function textOf({ pieces }: Plan): string {
  const [only] = pieces;
  return only?.kind === 'bytes' ? Buffer.from(only.bytes).toString('utf8') : '';
}

function parse(json: string): JsonValue {
  return JSON.parse(json) as JsonValue;
}

function member(value: JsonValue | undefined, name: string): JsonValue | undefined {
  return typeof value === 'object' && value !== null && !isList(value) ? value[name] : undefined;
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** The same with every list of objects cut. */
function shortened(value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null) return value;
  if (isList(value)) {
    const kept = value.some((item) => typeof item === 'object') ? value.slice(0, LIST_MAX) : value;
    return kept.map(shortened);
  }
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, shortened(one)]));
}

function firstLines(text: string): string {
  const lines = text.split('\n').slice(0, LINES_MAX);
  return lines.map((line) => `${line}\n`).join('');
}
