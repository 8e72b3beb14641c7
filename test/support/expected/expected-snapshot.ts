/** What reading a document must give, worked out anew. */
import { WINDOWS, type JsonValue, type Snapshot } from '../../../src/snapshot/domain/model.js';
import {
  isList,
  isNew,
  wholeDocument,
  type Plain,
  type ValidDocument,
} from '../documents/arbitrary-documents.js';

/** What of a snapshot can be compared: rows one by one instead of columns, and their times in the same order. */
export function comparable(snapshot: Snapshot): Record<string, unknown> {
  const { observations, ...rest } = snapshot;
  const { series, hours, values, publishedAtMs, updatedAtMs } = observations;
  const numberOrNull = (number = NaN): number | null => (Number.isNaN(number) ? null : number);
  return {
    ...rest,
    rows: series.flatMap(({ stationId, componentId, start, end }) =>
      Array.from({ length: end - start }, (_, at) => [
        stationId,
        componentId,
        hours[start + at],
        numberOrNull(values[start + at]),
      ]),
    ),
    times: series.flatMap(({ start, end }) =>
      Array.from({ length: end - start }, (_, at) => [
        numberOrNull(publishedAtMs?.[start + at]),
        numberOrNull(updatedAtMs?.[start + at]),
      ]),
    ),
  };
}

/** `comparable` of the snapshot that a document must give. */
export function expectedSnapshot(document: ValidDocument): Record<string, unknown> {
  const { header: first, measurements } = document;
  const rowsInOrder = measurements.map(expectedRow).sort((a, b) => compareRows(a.row, b.row));
  const name = { ...COMPONENT, ...(isNew(first) && { parameterName: 'parameter_name' }) };
  const windows = first['supported_windows'] as string[];
  const codes = new Map(
    document.networks.map((network) => [network['network_id'], trimmed(network['network_code'])]),
  );
  return {
    header: {
      schemaVersion: first['schema_version'],
      snapshotId: first['snapshot_id'],
      generatedAtMs: Date.parse(first['generated_at'] as string),
      supportedWindows: WINDOWS.filter((window) => windows.includes(window)),
      counts: wholeDocument(document)['counts'],
    },
    organizations: expectedList(document.organizations, {
      id: 'organization_id',
      name: 'name',
      shortName: 'short_name',
    }),
    networks: expectedList(document.networks, {
      id: 'network_id',
      code: 'network_code',
      name: 'name',
      shortName: 'short_name',
    }),
    components: expectedList(document.components, name).map((one) => ({
      public: true,
      ...one,
    })),
    stations: expectedList(document.stations, STATION).map((station) => ({
      active: true,
      public: true,
      networkCode: codes.get(station['networkId'] as number),
      componentIds: measured(measurements, station['id'] as number),
      ...station,
    })),
    rows: rowsInOrder.map(({ row }) => row),
    times: rowsInOrder.map(({ times: own }) => (isNew(first) ? own : [null, null])),
  };
}

function expectedRow(row: Plain): { readonly row: unknown[]; readonly times: unknown[] } {
  const epochMs = (value: JsonValue | undefined): number | null =>
    typeof value === 'string' ? Date.parse(value) : null;
  return {
    row: [
      Number(row['station_id']),
      Number(row['component_id']),
      Date.parse(`${row['date'] as string}T${row['time'] as string}Z`) / 3_600_000,
      row['value'],
    ],
    times: [epochMs(row['published_at_utc']), epochMs(row['updated_at_utc'])],
  };
}

const COMPONENT = {
  id: 'component_id',
  shortName: 'short_name',
  unit: 'unit',
  public: 'public',
  casNumber: 'cas_number',
  description: 'description',
};
const STATION = {
  id: 'station_id',
  name: 'station_name',
  code: 'station_code',
  organizationId: 'organization_id',
  networkId: 'network_id',
  city: 'city',
  municipality: 'municipality',
  latitude: 'latitude',
  longitude: 'longitude',
  stationType: 'station_type',
  elevationM: 'elevation_m',
  address: 'address',
  startDate: 'start_date',
  endDate: 'end_date',
  notes: 'notes',
  active: 'active',
  public: 'public',
  componentIds: 'component_ids',
};
const REQUIRED = new Set(['name', 'shortName', 'code', 'unit']);

function expectedList(
  elements: readonly Plain[],
  names: Readonly<Record<string, string>>,
): Record<string, unknown>[] {
  const own = new Set(Object.values(names));
  return elements
    .map((element): Record<string, unknown> => {
      const members = Object.entries(names)
        .map(([name, member]): [string, unknown] => [name, trimmed(element[member])])
        .filter(([name, value]) =>
          value === '' ? REQUIRED.has(name) : value !== null && value !== undefined,
        );
      const more = Object.entries(element).filter(([name]) => !own.has(name));
      return { ...Object.fromEntries(members), additional: Object.fromEntries(more) };
    })
    .sort((a, b) => Number(a['id']) - Number(b['id']));
}

function trimmed(value: JsonValue | undefined): unknown {
  if (isList(value)) return [...value].sort((a, b) => Number(a) - Number(b));
  return typeof value === 'string' ? value.trim() : value;
}

function measured(measurements: readonly Plain[], stationId: number): number[] {
  const ids = measurements
    .filter((row) => row['station_id'] === stationId)
    .map((row) => Number(row['component_id']));
  return [...new Set(ids)].sort((a, b) => a - b);
}

function compareRows(a: readonly unknown[], b: readonly unknown[]): number {
  for (const at of [0, 1, 2]) {
    const difference = Number(a[at]) - Number(b[at]);
    if (difference !== 0) return difference;
  }
  return 0;
}
