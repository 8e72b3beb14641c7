/** Compares an answer of the service with the oracle's. */
import { inspect, isDeepStrictEqual } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import { parquetReadObjects } from 'hyparquet';
import { EXPORT_COLUMNS } from '../support/expected/expected-export.js';
import { cellOf, STREAM_META } from '../support/expected/expected-hvd.js';
import { fieldOf, type Answer } from '../support/service/connection.js';
import { HOUR_MS, RETENTION_HOURS, WINDOWS } from './network.js';
import type { Expected, Oracle, Row } from './oracle.js';
import type { Asked } from './request.js';

export interface Compared {
  readonly asked: Asked;
  readonly answer: Answer;
  readonly expected: Expected;
  readonly oracle: Oracle;
  readonly snapshotId: string;
  /** The id of the snapshot before, for `changes`. */
  readonly since: string;
  /** Reads a further form; default: one of the forms of this file. */
  readonly read?: (body: Buffer, compared: Found) => ReturnType<typeof readBoth>;
}

/** Describes the first difference; undefined where the answer is right. */
export async function difference(compared: Compared): Promise<string | undefined> {
  const { answer, expected } = compared;
  if (answer.status !== expected.status) return `status ${answer.status}, not ${expected.status}`;
  if (expected.status !== 200) return undefined;
  const body =
    fieldOf(answer, 'content-encoding') === 'gzip' ? gunzipSync(answer.body) : answer.body;
  const [got, want] = await (compared.read ?? readBoth)(body, { ...compared, expected });
  return firstDifference(got, want);
}

export type Found = Compared & { readonly expected: Extract<Expected, { readonly status: 200 }> };

/** The answer's content and the expected one, in forms that can be compared. */
async function readBoth(body: Buffer, compared: Found): Promise<readonly [unknown, unknown]> {
  const { asked, expected, oracle } = compared;
  const { rows } = expected;
  const text = body.toString();
  switch (asked.choices.endpoint) {
    case 'observations':
    case 'latest':
      return [
        JSON.parse(text),
        {
          data: rows.map((row) => record(row, oracle)),
          meta: { ...metaOf(compared), count: rows.length },
        },
      ];
    case 'stream':
      return [
        text.split('\n').map((line) => (line === '' ? '' : (JSON.parse(line) as unknown))),
        [
          { meta: { ...metaOf(compared), ...STREAM_META } },
          ...rows.map((row) => record(row, oracle)),
          '',
        ],
      ];
    case 'csv':
    case 'latest-csv':
    case 'bulk-csv':
      return [parse(text), [RECORD_FIELDS, ...rows.map((row) => cells(record(row, oracle)))]];
    case 'bulk-parquet':
      return [await parquetRows(body), rows.map((row) => record(row, oracle))];
    case 'wide':
      return [parse(text), wideCells(compared)];
    case 'hvd-stations':
      return [JSON.parse(text), rows.map((row) => hvdStation(row, oracle))];
    case 'hvd-parameters':
      return [JSON.parse(text), rows.map(hvdParameter)];
    case 'changes':
      return [
        text.split('\n').map((line) => (line === '' ? '' : (JSON.parse(line) as unknown))),
        [changesMeta(compared), ...rows.map(change), ''],
      ];
    case 'last-hour':
    case 'last-24h':
      return [JSON.parse(text), hours(rows)];
    case 'measurements':
      return [JSON.parse(text), series(compared)];
    case 'export':
      return [parse(text, { relax_column_count: true }), exportCells(compared)];
    case 'station-meta':
      return [JSON.parse(text), rows[0]];
    case 'organizations':
    case 'networks':
    case 'stations':
    case 'components':
    case 'organization-stations':
      return [JSON.parse(text), rows];
    default:
      return [JSON.parse(text), manifest(compared)];
  }
}

const RECORD_FIELDS = [
  'station_id',
  'parameter_code',
  'time_start_utc',
  'time_end_utc',
  'value',
  'unit',
  'data_status',
  'aggregation_type',
  'published_at_utc',
  'updated_at_utc',
  'coverage',
];

/** `2026-09-09T23:00:00Z`, whole seconds. */
export function utc(ms: unknown): string {
  return `${new Date(Number(ms)).toISOString().slice(0, 19)}Z`;
}

function record(row: Row, { generatedAtMs }: Oracle): Row {
  return {
    station_id: row['station_id'] ?? null,
    parameter_code: row['parameter_code'] ?? null,
    time_start_utc: utc(row['start_ms']),
    time_end_utc: utc(Number(row['start_ms']) + HOUR_MS),
    value: row['value'] ?? null,
    unit: row['unit'] ?? null,
    data_status: 'preliminary',
    aggregation_type: 'hourly_mean',
    published_at_utc: utc(generatedAtMs),
    updated_at_utc: utc(generatedAtMs),
    coverage: null,
  };
}

function metaOf({ asked, expected, oracle, snapshotId }: Found): Row {
  const { fromMs, toMs } = asked;
  const { period } = expected;
  return {
    snapshot_id: snapshotId,
    generated_at_utc: utc(oracle.generatedAtMs),
    retention_days: 30,
    data_status: 'preliminary',
    aggregation_type: 'hourly_mean',
    requested_window:
      fromMs === undefined && toMs === undefined
        ? null
        : {
            from: fromMs === undefined ? null : utc(fromMs),
            to: toMs === undefined ? null : utc(toMs),
          },
    actual_window: { from: utc(period?.fromMs), to: utc(period?.toMs) },
    out_of_retention_window: period?.fromMs === period?.toMs,
  };
}

function cells(row: Row): readonly string[] {
  return RECORD_FIELDS.map((name) => cell(row[name]));
}

/** A cell of a text or a decimal; empty for null and for none. */
export function cell(value: unknown): string {
  return cellOf('value', value ?? null);
}

function wideCells({ expected }: Found): readonly (readonly string[])[] {
  const codes = expected.codes ?? [];
  return [
    ['station_id', 'station_name', 'time_start_utc', 'time_end_utc', ...codes],
    ...expected.rows.map((row) => {
      const values = new Map(entriesOf(row['cells']));
      return [
        cell(row['station_id']),
        cell(row['name']),
        utc(row['start_ms']),
        utc(Number(row['start_ms']) + HOUR_MS),
        ...codes.map((code) => cell(values.get(code))),
      ];
    }),
  ];
}

/** Entries of a MAP, which DuckDB writes as objects of key and value. */
function entriesOf(map: unknown): readonly (readonly [unknown, unknown])[] {
  if (!Array.isArray(map)) return [];
  return (map as readonly { readonly key: unknown; readonly value: unknown }[]).map((entry) => [
    entry.key,
    entry.value,
  ]);
}

async function parquetRows(body: Buffer): Promise<readonly unknown[]> {
  const rows = await parquetReadObjects({ file: Uint8Array.from(body).buffer });
  return rows.map((row) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [
        name,
        value instanceof Date ? utc(value) : value,
      ]),
    ),
  );
}

export function hvdStation(row: Row, { generatedAtMs }: Oracle): Row {
  const distance = row['distance'];
  const of = (name: string) => row[name] ?? null;
  return {
    station_id: of('station_id'),
    station_name: of('name'),
    station_code: of('code'),
    latitude: of('latitude'),
    longitude: of('longitude'),
    municipality: of('municipality'),
    station_type: of('station_type'),
    operator: of('operator'),
    active: of('active'),
    last_updated_utc: utc(generatedAtMs),
    elevation_m: of('elevation_m'),
    address: of('address'),
    start_date: of('start_date'),
    end_date: of('end_date'),
    notes: of('notes'),
    network_id: Number(row['network_id']),
    network_code: of('network_code'),
    ...(distance === undefined ? {} : { distance_m: Math.round(Number(distance)) }),
  };
}

export function hvdParameter(row: Row): Row {
  return {
    parameter_code: row['code'] ?? null,
    parameter_name: row['code'] ?? null,
    unit: row['unit'] ?? null,
    averaging_period: '1h',
    cas_number: row['cas_number'] ?? null,
    description: row['description'] ?? null,
  };
}

function changesMeta({ expected, oracle, snapshotId, since }: Found): unknown {
  const count = (op: string): number => expected.rows.filter((row) => row['op'] === op).length;
  return {
    meta: {
      since,
      snapshot_id: snapshotId,
      generated_at_utc: utc(oracle.generatedAtMs),
      // Rounded up: a row of a whole second before the exact time has left the window.
      retention_from_utc: utc(
        Math.ceil((oracle.generatedAtMs - RETENTION_HOURS * HOUR_MS) / 1000) * 1000,
      ),
      added: count('added'),
      changed: count('changed'),
      withdrawn: count('withdrawn'),
    },
  };
}

function change({ start_ms: startMs, ...row }: Row): unknown {
  return { ...row, time_start_utc: utc(startMs) };
}

function dateAndTime(startMs: unknown): { readonly date: string; readonly time: string } {
  const text = utc(startMs);
  return { date: text.slice(0, 10), time: text.slice(11, 16) };
}

function hours(rows: readonly Row[]): unknown {
  const starts = [...new Set(rows.map((row) => row['start_ms']))];
  return {
    hours: starts.map((start) => ({
      ...dateAndTime(start),
      components: rows
        .filter((row) => row['start_ms'] === start)
        .map((row) => ({ component_id: row['component_id'], value: row['value'] })),
    })),
  };
}

function series({ asked, expected: { rows } }: Found): unknown {
  const [first = {}] = rows;
  return {
    organization_id: asked.organizationId,
    station_id: asked.stationId,
    station_name: first['name'],
    component_id: asked.componentId,
    component_short_name: first['code'],
    unit: first['unit'],
    window: asked.window,
    points: rows.map((row) => ({ ...dateAndTime(row['start_ms']), value: row['value'] })),
  };
}

export function exportCells({ asked, expected: { rows } }: Found): readonly (readonly unknown[])[] {
  return [
    EXPORT_COLUMNS,
    ...rows.map((row) => {
      const { date, time } = dateAndTime(row['start_ms']);
      const station = [
        row['name'],
        row['station_code'],
        String(row['network_id']),
        row['network_code'],
      ];
      const component = [String(asked.componentId), row['code'], row['unit']];
      // Rounded to zero, a value has no sign.
      const value = Number(row['value'])
        .toFixed(2)
        .replace(/^-0\.00$/, '0.00');
      const of = [String(asked.organizationId), row['operator'], String(asked.stationId)];
      return [...of, ...station, date, time, ...component, value];
    }),
  ];
}

export function manifest({ oracle, snapshotId }: Found): unknown {
  const { network } = oracle;
  return {
    schema_version: '1.2.0',
    snapshot_id: snapshotId,
    generated_at: utc(oracle.generatedAtMs),
    supported_windows: WINDOWS.filter((window) => network.supported_windows.includes(window)),
    counts: {
      organizations: network.organizations.length,
      networks: network.networks.length,
      stations: network.stations.length,
      components: network.components.length,
      measurement_rows: network.measurements.length,
    },
  };
}

/** The place of the first difference, with both values. Zero has no sign. */
function firstDifference(got: unknown, want: unknown, path = ''): string | undefined {
  if (got === want || isDeepStrictEqual(got, want)) return undefined;
  if (isObject(got) && isObject(want)) {
    const names = [...new Set([...Object.keys(got), ...Object.keys(want)])];
    for (const name of names) {
      const inner = firstDifference(got[name], want[name], `${path}/${name}`);
      if (inner !== undefined) return inner;
    }
    return undefined;
  }
  const text = (value: unknown): string => inspect(value).slice(0, 300);
  return `${path}: ${text(got)}, expected ${text(want)}`;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
