/** Answers of the snapshot that is served, as the examples of the OpenAPI document. */
import type { SnapshotHeader } from '../../../snapshot/domain/model.js';
import { distanceM } from '../../../snapshot/domain/selection.js';
import { SnapshotError } from '../../../snapshot/domain/snapshot-error.js';
import { HOUR_MS } from '../../../snapshot/domain/windows.js';
import { answerKey } from '../../../snapshot/local/keys.js';
import { baseUrlText } from '../../../views/base-url.js';
import { renderCsv } from '../../../views/csv.js';
import { renderExportCsv } from '../../../views/export-table.js';
import { changesMetaLine } from '../../../views/history/changes.js';
import { fieldsOf, type ObservationRecord, type StationRecord } from '../../../views/hvd/fields.js';
import { renderGeoJson } from '../../../views/hvd/geojson.js';
import { latestGeoJson, latestWideCsv } from '../../../views/hvd/latest-by-station.js';
import { createWideCsv, wideCsvHeader } from '../../../views/hvd/wide-csv.js';
import { listEnvelope, streamEnvelope, type RequestedWindow } from '../../../views/hvd/window.js';
import type { InstanceExamples } from '../../../views/instance-examples.js';
import type { SnapshotReader } from '../../../snapshot/local/reader.js';
import type { OpenSnapshot } from '../../open-snapshot.js';
import { readRows } from './plan-export.js';

/** Lines of a file, beside its column names. */
const LINES = 2;

/**
 * By path and media type; undefined where the snapshot has nothing to show.
 *
 * @param baseUrl without a slash at its end.
 * @throws {SnapshotError} `copy_damaged`.
 */
export function readExamples(
  snapshot: OpenSnapshot,
  { station, other, components }: InstanceExamples,
  baseUrl: string,
): ReadonlyMap<string, unknown> {
  const { reader } = snapshot;
  const { header } = reader;
  const [component] = components.values();
  const ids = { organizationId: station.organizationId, stationId: station.id };
  const series = { ...ids, componentId: component?.id ?? NaN, window: '1d' } as const;
  const hasSeries = reader.answer(answerKey.timeSeries(series), 'identity') !== undefined;
  const stations = readStations(snapshot, [station.id, other.id]);
  const all = readStations(snapshot, undefined);
  const newest = readNewest(snapshot, String(station.id), component?.code);
  // The last hour, as the examples of `from` and `to` have it.
  const to = Math.floor(header.generatedAtMs / HOUR_MS) * HOUR_MS;
  const window = { from: to - HOUR_MS, to };
  const inWindow = newest.filter((one) => Date.parse(one.time_start_utc) === window.from);
  const ofStation = stations.slice(0, 1).map((one) => ({ station: one, newest }));
  const stream = streamEnvelope(header, window).head + inWindow.map(jsonLine).join('');
  const file = '/api/v1/bulk/{filename}';
  return new Map<string, unknown>([
    ...legacyExamples(reader, ids),
    [
      '/measurements application/json',
      hasSeries ? readAnswer(reader, answerKey.timeSeries(series)) : undefined,
    ],
    [
      '/portal/export text/csv',
      hasSeries ? renderExportCsv(readRows(snapshot, series).slice(0, LINES)) : undefined,
    ],
    ['/api/v1/metadata application/json', readAnswer(reader, answerKey.hvdDescriptor)],
    ['/api/v1/stations application/json', stations.slice(0, 1).map(withDistance)],
    ['/api/v1/parameters application/json', readAnswer(reader, answerKey.hvdParameters)],
    ['/api/v1/observations application/json', listOf(snapshot, inWindow, window)],
    ['/api/v1/observations/latest application/json', listOf(snapshot, newest, {})],
    ['/api/v1/observations/stream application/x-ndjson', stream],
    ['/api/v1/observations.csv text/csv', wideCsv(station, inWindow)],
    ['/api/v1/observations/latest.csv text/csv', latestWideCsv(ofStation)],
    [
      '/api/v1/observations/latest.geojson application/geo+json',
      JSON.parse(latestGeoJson(ofStation)),
    ],
    ['/api/v1/changes application/x-ndjson', noChanges(header)],
    ['/api/v1/bulk application/json', readAnswer(reader, answerKey.bulkIndex)],
    [`${file} text/csv`, renderCsv(fieldsOf('stations'), stations)],
    [`${file} application/geo+json`, JSON.parse(renderGeoJson(all))],
    [`${file} application/json`, readAnswer(reader, answerKey.hvdParameters)],
    [
      `${file} text/plain`,
      reader.record('bundle').map(({ sha256, name }) => `${sha256}  ${name}\n`)[0],
    ],
    [
      '/api/v1/dcat application/ld+json',
      JSON.parse(reader.record('catalog').join(baseUrlText(baseUrl))),
    ],
  ]);
}

/** Of the older API, whose answers the copy has as they are. */
function legacyExamples(
  reader: SnapshotReader,
  ids: { readonly organizationId: number; readonly stationId: number },
): readonly (readonly [target: string, example: unknown])[] {
  const answer = (name: string): unknown => readAnswer(reader, name);
  const ofOneStation = '/{organization_id}/stations/{station_id}';
  return [
    ['/meta application/json', answer(answerKey.manifest)],
    ['/organizations application/json', answer(answerKey.organizations)],
    ['/networks application/json', answer(answerKey.networks)],
    ['/stations application/json', answer(answerKey.stations)],
    ['/components application/json', answer(answerKey.components)],
    [
      '/{organization_id}/stations application/json',
      answer(answerKey.organizationStations(ids.organizationId)),
    ],
    [`${ofOneStation}/meta application/json`, answer(answerKey.stationMetadata(ids))],
    [`${ofOneStation}/measurements/last_hour application/json`, answer(answerKey.lastHour(ids))],
    [`${ofOneStation}/measurements/last_24h application/json`, answer(answerKey.last24Hours(ids))],
  ];
}

/** A prepared answer, which is its own example; @throws {SnapshotError} `copy_damaged` where there is none. */
function readAnswer(reader: SnapshotReader, name: string): unknown {
  const bytes = reader.answer(name, 'identity');
  if (bytes === undefined) throw new SnapshotError('copy_damaged', `no finished answer ${name}`);
  return JSON.parse(Buffer.from(bytes).toString('utf8'));
}

/** @param ids in the order of the records; undefined: all, in theirs. */
function readStations(
  snapshot: OpenSnapshot,
  ids: readonly number[] | undefined,
): readonly StationRecord[] {
  // Each is the finished text of a record.
  const record = ({ text }: { readonly text: string }): StationRecord =>
    JSON.parse(text) as StationRecord;
  const stations = snapshot.stations();
  if (ids === undefined) return stations.map(record);
  return [...new Set(ids)].flatMap((id) =>
    stations.filter((station) => station.id === id).map(record),
  );
}

/** As a request with a position has it; the position is the station's own, to two places. */
function withDistance(station: StationRecord): unknown {
  const { latitude, longitude } = station;
  if (latitude === null || longitude === null) return station;
  const from = { latitude: Number(latitude.toFixed(2)), longitude: Number(longitude.toFixed(2)) };
  return { ...station, distance_m: Math.round(distanceM({ latitude, longitude }, from) ?? 0) };
}

/** The newest observation of one series: none, or one. */
function readNewest(
  { reader }: OpenSnapshot,
  stationId: string,
  code: string | undefined,
): readonly ObservationRecord[] {
  return reader
    .record('latest')
    .filter((one) => one.stationId === stationId && one.parameterCode === code)
    .map(({ text }) => JSON.parse(text) as ObservationRecord);
}

function listOf(
  { reader }: OpenSnapshot,
  records: readonly ObservationRecord[],
  window: RequestedWindow,
): unknown {
  const { head, tail } = listEnvelope(reader.header, window);
  const texts = records.map((record) => JSON.stringify(record));
  return JSON.parse(head + texts.join(',') + tail(texts.length));
}

function noChanges({ snapshotId, generatedAtMs }: SnapshotHeader): string {
  const counts = { added: 0, changed: 0, withdrawn: 0 };
  return changesMetaLine({ since: snapshotId, snapshotId, generatedAtMs, counts });
}

function jsonLine(record: ObservationRecord): string {
  return `${JSON.stringify(record)}\n`;
}

function wideCsv(
  station: { readonly id: number; readonly name: string },
  newest: readonly ObservationRecord[],
): string {
  const render = createWideCsv()(station);
  const rows = newest.map(({ time_start_utc: time, value }) =>
    render(Date.parse(time) / HOUR_MS, Float64Array.of(value ?? NaN)),
  );
  return wideCsvHeader(newest.map((one) => one.parameter_code)) + rows.join('');
}
