/**
 * Answers that the service must give, by DuckDB over the tables of a network: written from the specification, and sharing no
 * code with `src`.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { HOUR_MS, RETENTION_HOURS, type Network, type Fields, textOf } from './network.js';
import type { Asked, Selection } from './request.js';

export type Row = Readonly<Record<string, unknown>>;

/** An expected answer: a status, and for 200 rows in order with what belongs to them. */
export type Expected =
  | { readonly status: 400 | 404 }
  | {
      readonly status: 200;
      readonly rows: readonly Row[];
      readonly period?: { readonly fromMs: number; readonly toMs: number };
      /** Codes of the columns of a wide table. */
      readonly codes?: readonly string[];
    };

const EARTH_METRES = 6_371_008.8;
const FORBIDDEN = ['validated', 'qa_flag', 'compliance', 'exceedance', 'public', 'component_ids'];
const HOURS: Readonly<Record<string, number>> = { '1d': 24, '7d': 168, '14d': 336, '30d': 720 };

const RECORD = `station_id::VARCHAR AS station_id, code AS parameter_code, start_ms, value, unit`;
const ORDER = 'ORDER BY seen.station_id, code_rank, start_ms';

/** The tables of one snapshot, under a name of their own in the database. */
export class Oracle {
  readonly #connection: DuckDBConnection;
  readonly #schema: string;
  readonly network: Network;
  readonly generatedAtMs: number;

  private constructor(connection: DuckDBConnection, schema: string, network: Network) {
    this.#connection = connection;
    this.#schema = schema;
    this.network = network;
    this.generatedAtMs = Date.parse(network.generated_at);
  }

  /** @param folder for a file of the rows. */
  static async open(
    instance: DuckDBInstance,
    {
      network,
      schema,
      folder,
    }: { readonly network: Network; readonly schema: string; readonly folder: string },
  ): Promise<Oracle> {
    const connection = await instance.connect();
    const oracle = new Oracle(connection, schema, network);
    await connection.run(`CREATE SCHEMA ${schema}; USE ${schema}`);
    await oracle.#load(folder);
    return oracle;
  }

  async close(): Promise<void> {
    await this.#connection.run(`USE main; DROP SCHEMA ${this.#schema} CASCADE`);
    this.#connection.closeSync();
  }

  async expected(asked: Asked, earlier: Oracle): Promise<Expected> {
    switch (asked.choices.endpoint) {
      case 'observations':
      case 'stream':
      case 'csv':
        return await this.#observations(asked);
      case 'wide':
        return await this.#wide(asked);
      case 'bulk-csv':
      case 'bulk-parquet':
        return await this.#observations({ selection: {} });
      case 'latest':
      case 'latest-csv':
        return await this.latest(asked);
      case 'hvd-stations':
        return await this.hvdStations(asked.selection);
      case 'hvd-parameters':
        return {
          status: 200,
          rows: await this.rows('SELECT * FROM parameters ORDER BY code_rank'),
        };
      case 'changes':
        return await this.#changes(asked.selection, earlier);
      case 'last-hour':
      case 'last-24h':
        return await this.#hours(asked);
      case 'measurements':
      case 'export':
        return await this.#series(asked);
      case 'station-meta':
        return await this.#stationMeta(asked);
      case 'organization-stations':
        return this.#found(
          this.#legacyStations().filter((one) => one['organization_id'] === asked.organizationId),
        );
      case 'stations':
        return { status: 200, rows: this.#legacyStations() };
      case 'components':
        return {
          status: 200,
          rows: publicOnes(this.network.components, 'component_id').map(forClients),
        };
      case 'organizations':
        return {
          status: 200,
          rows: byId(this.network.organizations, 'organization_id').map(forClients),
        };
      case 'networks':
        return { status: 200, rows: byId(this.network.networks, 'network_id').map(forClients) };
      default:
        return { status: 200, rows: [] };
    }
  }

  async #load(folder: string): Promise<void> {
    const { network } = this;
    const path = join(folder, 'rows.json');
    await writeFile(path, network.measurements.map((row) => `${JSON.stringify(row)}\n`).join(''));
    const codes = network.components.map((one) => textOf(one['short_name'])).toSorted(byCodeUnits);
    const operators = new Map(
      network.organizations.map((one) => [one['organization_id'], textOf(one['name'])]),
    );
    await this.#table('stations', network.stations, (one) => ({
      id: one['station_id'] ?? 0,
      name: textOf(one['station_name']),
      code: textOf(one['station_code']),
      organization_id: one['organization_id'] ?? 0,
      network_id: one['network_id'] ?? 0,
      network_code: this.#networkCode(one),
      operator: operators.get(one['organization_id']) ?? '',
      municipality: known(one['municipality']),
      station_type: one['station_type'] ?? null,
      latitude: one['latitude'] ?? null,
      longitude: one['longitude'] ?? null,
      elevation_m: one['elevation_m'] ?? null,
      notes: known(one['notes']),
      address: known(one['address']),
      start_date: one['start_date'] ?? null,
      end_date: one['end_date'] ?? null,
      active: one['active'] ?? true,
      is_public: one['public'] ?? true,
    }));
    await this.#table('components', network.components, (one) => ({
      id: one['component_id'] ?? 0,
      code: textOf(one['short_name']),
      code_rank: codes.indexOf(textOf(one['short_name'])),
      unit: textOf(one['unit']),
      cas_number: known(one['cas_number']),
      description: known(one['description']),
      is_public: one['public'] ?? true,
    }));
    await this.#connection.run(`
      CREATE TABLE all_rows AS SELECT station_id, component_id, value,
        epoch_ms(strptime(date || ' ' || time, '%Y-%m-%d %H:%M')) AS start_ms
      FROM read_json('${path}', format = 'newline_delimited', columns = {station_id: 'BIGINT',
        component_id: 'BIGINT', date: 'VARCHAR', time: 'VARCHAR', value: 'DOUBLE'});
      CREATE VIEW seen AS SELECT r.station_id, r.component_id, c.code, c.code_rank, c.unit, r.start_ms, r.value,
          s.organization_id
        FROM ${this.#schema}.all_rows r JOIN ${this.#schema}.stations s ON s.id = r.station_id AND s.is_public
        JOIN ${this.#schema}.components c ON c.id = r.component_id AND c.is_public
        WHERE r.start_ms < ${this.generatedAtMs} AND r.start_ms >= ${this.#oldestMs};
      CREATE VIEW parameters AS SELECT * FROM components WHERE is_public;`);
  }

  get #oldestMs(): number {
    return this.generatedAtMs - RETENTION_HOURS * HOUR_MS;
  }

  #networkCode(station: Fields): string {
    const network = this.network.networks.find(
      (one) => one['network_id'] === station['network_id'],
    );
    return textOf(network?.['network_code']);
  }

  async #observations(asked: Pick<Asked, 'selection' | 'fromMs' | 'toMs'>): Promise<Expected> {
    const period = this.#period(asked);
    const rows = await this.rows(`SELECT ${RECORD} FROM seen WHERE ${this.#where(asked.selection)}
      AND start_ms >= ${period.fromMs} AND start_ms < ${period.toMs} ${ORDER}`);
    return { status: 200, rows, period };
  }

  async #wide(asked: Asked): Promise<Expected> {
    const expected = await this.#observations(asked);
    const { fromMs, toMs } = this.#period(asked);
    const rows = await this
      .rows(`SELECT station_id::VARCHAR AS station_id, any_value(s.name) AS name, start_ms,
        map_from_entries(list((seen.code, value))) AS cells
      FROM seen JOIN stations s ON s.id = station_id
      WHERE ${this.#where(asked.selection)} AND start_ms >= ${fromMs} AND start_ms < ${toMs}
      GROUP BY seen.station_id, start_ms ORDER BY seen.station_id, start_ms`);
    const met =
      expected.status === 200 ? expected.rows.map((row) => textOf(row['parameter_code'])) : [];
    return { status: 200, rows, codes: [...new Set(met)].toSorted(byCodeUnits) };
  }

  async latest({ selection }: Asked): Promise<Expected> {
    const rows = await this
      .rows(`SELECT ${RECORD} FROM seen WHERE ${this.#where(selection)} AND value IS NOT NULL
      QUALIFY start_ms = max(start_ms) OVER (PARTITION BY seen.station_id, component_id) ${ORDER}`);
    return { status: 200, rows, period: this.#period({}) };
  }

  async hvdStations(selection: Selection): Promise<Expected> {
    const order = selection.near === undefined ? 'id' : 'distance, id';
    const distance =
      selection.near === undefined ? '' : `, ${distanceSql(selection.near)} AS distance`;
    const rows = await this.rows(`SELECT *, id::VARCHAR AS station_id ${distance} FROM stations
      WHERE is_public AND ${stationsSql(selection)} ORDER BY ${order}`);
    return { status: 200, rows };
  }

  async #changes(selection: Selection, earlier: Oracle): Promise<Expected> {
    const side = (oracle: Oracle): string =>
      `(SELECT station_id, code, start_ms, value FROM ${oracle.#schema}.seen WHERE start_ms >= ${this.#oldestMs}
        AND ${oracle.#where(selection)})`;
    const rows = await this
      .rows(`SELECT coalesce(a.station_id, b.station_id)::VARCHAR AS station_id,
        coalesce(a.code, b.code) AS parameter_code, coalesce(a.start_ms, b.start_ms) AS start_ms,
        CASE WHEN b.code IS NULL THEN 'added' WHEN a.code IS NULL THEN 'withdrawn' ELSE 'changed' END AS op,
        a.value AS value, b.value AS previous_value
      FROM ${side(this)} a FULL JOIN ${side(earlier)} b USING (station_id, code, start_ms)
      WHERE a.code IS NULL OR b.code IS NULL OR a.value IS DISTINCT FROM b.value`);
    return {
      status: 200,
      rows: rows.toSorted(
        (a, b) =>
          Number(a['station_id']) - Number(b['station_id']) ||
          byCodeUnits(textOf(a['parameter_code']), textOf(b['parameter_code'])) ||
          Number(a['start_ms']) - Number(b['start_ms']),
      ),
    };
  }

  async #hours(asked: Asked): Promise<Expected> {
    const rows = await this
      .rows(`SELECT start_ms, component_id::DOUBLE AS component_id, value FROM seen
      WHERE station_id = ${asked.stationId} AND organization_id = ${asked.organizationId} AND value IS NOT NULL
        AND start_ms >= ${this.generatedAtMs - 24 * HOUR_MS}
      QUALIFY ${asked.choices.endpoint === 'last-24h'} OR start_ms = max(start_ms) OVER ()
      ORDER BY start_ms, component_id`);
    return this.#found(rows);
  }

  async #series(asked: Asked): Promise<Expected> {
    const { window } = asked;
    const isSupported = this.network.supported_windows.includes(window);
    if (!isSupported || (window === '1h' && asked.choices.endpoint === 'export'))
      return { status: 400 };
    // The last hour is that of the station, whatever its component.
    const hour = `(SELECT max(start_ms) FROM seen WHERE station_id = ${asked.stationId} AND value IS NOT NULL
      AND start_ms >= ${this.generatedAtMs - 24 * HOUR_MS})`;
    const since = window === '1h' ? hour : `${this.generatedAtMs - (HOURS[window] ?? 0) * HOUR_MS}`;
    const rows = await this
      .rows(`SELECT start_ms, value, seen.code AS code, unit, s.name, s.code AS station_code,
        s.operator, s.network_id::DOUBLE AS network_id, s.network_code
      FROM seen JOIN stations s ON s.id = station_id
      WHERE station_id = ${asked.stationId} AND seen.organization_id = ${asked.organizationId}
        AND component_id = ${asked.componentId} AND value IS NOT NULL AND start_ms >= ${since} ORDER BY start_ms`);
    return this.#found(rows);
  }

  async #stationMeta(asked: Asked): Promise<Expected> {
    const station = this.#legacyStations().find(
      (one) =>
        one['station_id'] === asked.stationId && one['organization_id'] === asked.organizationId,
    );
    if (station === undefined) return { status: 404 };
    const source = this.network.stations.find((one) => one['station_id'] === asked.stationId);
    const measured = await this.rows(
      `SELECT DISTINCT component_id::DOUBLE AS id FROM all_rows WHERE station_id = ${asked.stationId}`,
    );
    const listed = source?.['component_ids'] ?? measured.map(({ id = null }) => id);
    const components = publicOnes(this.network.components, 'component_id').filter(
      (one) => Array.isArray(listed) && listed.includes(one['component_id']),
    );
    return { status: 200, rows: [{ ...station, public_components: components.map(forClients) }] };
  }

  #legacyStations(): readonly Row[] {
    return publicOnes(this.network.stations, 'station_id').map((one) => ({
      ...forClients(one),
      active: one['active'] ?? true,
      network_code: this.#networkCode(one),
    }));
  }

  #found(rows: readonly Row[]): Expected {
    return rows.length === 0 ? { status: 404 } : { status: 200, rows };
  }

  #period({ fromMs, toMs }: Pick<Asked, 'fromMs' | 'toMs'>): { fromMs: number; toMs: number } {
    const clamp = (ms: number): number =>
      Math.max(this.#oldestMs, Math.min(this.generatedAtMs, ms));
    const from = clamp(fromMs ?? this.#oldestMs);
    return { fromMs: from, toMs: Math.max(from, clamp(toMs ?? this.generatedAtMs)) };
  }

  #where(selection: Selection): string {
    const { codes } = selection;
    const ofCodes = codes === undefined ? 'true' : `seen.code IN (${codes.map(quoted).join(', ')})`;
    return `${ofCodes} AND station_id IN (SELECT id FROM ${this.#schema}.stations WHERE ${stationsSql(selection)})`;
  }

  async #table(
    name: string,
    records: readonly Fields[],
    view: (record: Fields) => Row,
  ): Promise<void> {
    const rows = records.map(view);
    const columns = Object.keys(rows[0] ?? {});
    const values = rows.map(
      (row) => `(${columns.map((column) => literal(row[column] ?? null)).join(', ')})`,
    );
    const types = columns.map((column) => `${column} ${TYPES[column] ?? 'VARCHAR'}`);
    await this.#connection.run(`CREATE TABLE ${name} (${types.join(', ')});
      INSERT INTO ${name} VALUES ${values.join(', ')}`);
  }

  async rows(sql: string): Promise<readonly Row[]> {
    const reader = await this.#connection.runAndReadAll(sql).catch((error: unknown) => {
      throw new Error(`the oracle cannot run ${sql}`, { cause: error });
    });
    const rows = reader.getRowObjectsJson();
    // 64-bit integers come as text.
    return rows.map((row) => ({
      ...row,
      ...('start_ms' in row ? { start_ms: Number(row['start_ms']) } : {}),
    }));
  }
}

const TYPES: Readonly<Record<string, string>> = {
  id: 'BIGINT',
  organization_id: 'BIGINT',
  network_id: 'BIGINT',
  code_rank: 'INTEGER',
  latitude: 'DOUBLE',
  longitude: 'DOUBLE',
  elevation_m: 'DOUBLE',
  active: 'BOOLEAN',
  is_public: 'BOOLEAN',
};

function stationsSql({
  stationIds,
  active,
  municipality,
  stationType,
  box,
  near,
}: Selection): string {
  return [
    'true',
    stationIds && `id IN (${stationIds.join(', ')})`,
    active !== undefined && `active = ${active}`,
    municipality !== undefined &&
      `lower(nfc_normalize(municipality)) = lower(nfc_normalize(${quoted(municipality)}))`,
    stationType !== undefined && `station_type = ${quoted(stationType)}`,
    box && `longitude BETWEEN ${box[0]} AND ${box[2]} AND latitude BETWEEN ${box[1]} AND ${box[3]}`,
    near && `${distanceSql(near)} <= ${near.metres}`,
  ]
    .filter(Boolean)
    .join(' AND ');
}

/** Great-circle distance in metres by the haversine formula. */
function distanceSql({ latitude, longitude }: { latitude: number; longitude: number }): string {
  const half = (difference: string): string => `pow(sin(radians(${difference}) / 2), 2)`;
  const square = `${half(`latitude - (${latitude})`)} + cos(radians(latitude)) * cos(radians(${latitude})) * ${half(`longitude - (${longitude})`)}`;
  return `(2 * ${EARTH_METRES} * asin(least(1, sqrt(${square}))))`;
}

function byCodeUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function byId(records: readonly Fields[], id: string): readonly Fields[] {
  return records.toSorted((a, b) => Number(a[id]) - Number(b[id]));
}

function publicOnes(records: readonly Fields[], id: string): readonly Fields[] {
  return byId(records, id).filter((one) => one['public'] !== false);
}

const OPTIONAL = ['city', 'municipality', 'notes', 'cas_number', 'description'];

/** Trimmed texts, without internal members and absent optional ones. */
function forClients(record: Fields): Row {
  const entries = Object.entries(record).map(
    ([name, value]) => [name, typeof value === 'string' ? value.trim() : value] as const,
  );
  return Object.fromEntries(
    entries.filter(
      ([name, value]) =>
        !FORBIDDEN.includes(name) && value !== null && !(value === '' && OPTIONAL.includes(name)),
    ),
  );
}

/** The trimmed text; null without any. */
function known(value: unknown): string | null {
  const text = textOf(value);
  return text === '' ? null : text;
}

function literal(value: unknown): string {
  return typeof value === 'string' ? quoted(value) : JSON.stringify(value);
}

function quoted(text: string): string {
  return `'${text.replaceAll(`'`, `''`)}'`;
}
