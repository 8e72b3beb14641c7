/** Answers that the service must give, by DuckDB over a network: written from the specification, sharing no code with `src`. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { HOUR_MS, hoursOf, RETENTION_HOURS, textOf, type Fields, type Network } from './network.js';
import type { Asked, Place, Selection } from './request.js';

export type Row = Readonly<Record<string, unknown>>;

/** An expected answer: a status, and for 200 rows in order with what belongs to them. */
export type Expected =
  | { readonly status: 400 | 404 }
  | {
      readonly status: 200;
      readonly rows: readonly Row[];
      readonly period?: { readonly fromMs: number; readonly toMs: number };
      readonly codes?: readonly string[];
    };

type Found = Extract<Expected, { readonly status: 200 }>;

const EARTH_METRES = 6_371_008.8;
const FORBIDDEN = ['validated', 'qa_flag', 'compliance', 'exceedance', 'public', 'component_ids'];

/** Members of the lists of a network that become columns. */
const COLUMNS: Readonly<Record<string, string>> = {
  organizations: 'organization_id BIGINT, name VARCHAR',
  networks: 'network_id BIGINT, network_code VARCHAR',
  components:
    'component_id BIGINT, short_name VARCHAR, code_rank INTEGER, unit VARCHAR, cas_number VARCHAR, description VARCHAR, public BOOLEAN',
  stations:
    'station_id BIGINT, station_name VARCHAR, station_code VARCHAR, organization_id BIGINT, network_id BIGINT, municipality VARCHAR, station_type VARCHAR, latitude DOUBLE, longitude DOUBLE, elevation_m DOUBLE, notes VARCHAR, address VARCHAR, start_date VARCHAR, end_date VARCHAR, active BOOLEAN, public BOOLEAN',
  measurements: 'station_id BIGINT, component_id BIGINT, date VARCHAR, time VARCHAR, value DOUBLE',
};

const RECORD = `station_id::VARCHAR AS station_id, code AS parameter_code, start_ms, value, unit`;
const ORDER = 'ORDER BY seen.station_id, code_rank, start_ms';

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

  static async open(
    instance: DuckDBInstance,
    of: { readonly network: Network; readonly schema: string; readonly folder: string },
  ): Promise<Oracle> {
    const connection = await instance.connect();
    const oracle = new Oracle(connection, of.schema, of.network);
    await connection.run(`CREATE SCHEMA ${of.schema}; USE ${of.schema}`);
    await oracle.#load(of.folder);
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
      case 'bulk-csv':
      case 'bulk-parquet':
        return await this.observations(asked);
      case 'wide':
        return await this.#wide(asked);
      case 'latest':
      case 'latest-csv':
        return await this.latest(asked);
      case 'latest-wide':
      case 'latest-geojson':
        return {
          ...answerOf(await this.latestOfStations(asked)),
          codes: codesIn((await this.latest(asked)).rows),
        };
      case 'hvd-stations':
      case 'bulk-stations-csv':
      case 'bulk-stations-geojson':
        return answerOf(await this.hvdStations(asked.selection));
      case 'hvd-parameters':
      case 'bulk-parameters-csv':
      case 'bulk-parameters-json':
        return answerOf(await this.rows('FROM parameters ORDER BY code_rank'));
      case 'changes':
        return await this.#changes(asked.selection, earlier);
      case 'last-hour':
      case 'last-24h':
        return await this.#hours(asked);
      case 'measurements':
      case 'export':
      case 'export-xlsx':
      case 'export-ods':
        return await this.#series(asked);
      case 'station-meta':
        return await this.#stationMeta(asked);
      case 'organization-stations':
        return foundOf(
          this.#legacyStations().filter((one) => one['organization_id'] === asked.organizationId),
        );
      case 'stations':
        return answerOf(this.#legacyStations());
      case 'components':
        return answerOf(publicOnes(this.network.components, 'component_id').map(forClients));
      case 'organizations':
        return answerOf(byId(this.network.organizations, 'organization_id').map(forClients));
      case 'networks':
        return answerOf(byId(this.network.networks, 'network_id').map(forClients));
      default:
        return answerOf([]);
    }
  }

  async #load(folder: string): Promise<void> {
    const { network } = this;
    // Codes are in the order of their UTF-16 code units.
    const codes = network.components.map(codeOf).toSorted(byCodeUnits);
    const components = network.components.map((one) => ({
      ...one,
      code_rank: codes.indexOf(codeOf(one)),
    }));
    const { organizations, networks, stations, measurements } = network;
    const lists = { organizations, networks, components, stations, measurements };
    for (const [name, list] of Object.entries(lists)) {
      const columns = COLUMNS[name] ?? '';
      const path = join(folder, `${name}.json`);
      const names = columns.match(/\w+(?= )/g) ?? [];
      await writeFile(path, list.map((one) => `${JSON.stringify(one, names)}\n`).join(''));
      const types = columns.replaceAll(/(\w+) (\w+)/g, `'$1': '$2'`);
      await this.#connection.run(`CREATE TABLE all_${name} AS
        FROM read_json('${path}', format = 'newline_delimited', columns = {${types}})`);
    }
    await this.#connection.run(`
      CREATE TABLE stations AS SELECT s.station_id AS id, trim(station_name) AS name, trim(station_code) AS code,
          s.organization_id, s.network_id, trim(n.network_code) AS network_code, trim(o.name) AS operator,
          nullif(trim(municipality), '') AS municipality, station_type, latitude, longitude, elevation_m,
          nullif(trim(notes), '') AS notes, nullif(trim(address), '') AS address, start_date, end_date,
          coalesce(active, true) AS active, coalesce("public", true) AS is_public
        FROM all_stations s JOIN all_organizations o ON o.organization_id = s.organization_id
        JOIN all_networks n ON n.network_id = s.network_id;
      CREATE TABLE parameters AS SELECT component_id AS id, trim(short_name) AS code, code_rank, trim(unit) AS unit,
          nullif(trim(cas_number), '') AS cas_number, nullif(trim(description), '') AS description
        FROM all_components WHERE coalesce("public", true);
      CREATE TABLE all_rows AS SELECT station_id, component_id, value,
          epoch_ms(strptime(date || ' ' || time, '%Y-%m-%d %H:%M')) AS start_ms FROM all_measurements;
      CREATE VIEW seen AS SELECT r.station_id, r.component_id, c.code, c.code_rank, c.unit, r.start_ms, r.value,
          s.organization_id
        FROM ${this.#schema}.all_rows r JOIN ${this.#schema}.stations s ON s.id = r.station_id AND s.is_public
        JOIN ${this.#schema}.parameters c ON c.id = r.component_id
        WHERE r.start_ms < ${this.generatedAtMs} AND r.start_ms >= ${this.#oldestMs};`);
  }

  get #oldestMs(): number {
    return this.generatedAtMs - RETENTION_HOURS * HOUR_MS;
  }

  async observations(asked: Pick<Asked, 'selection' | 'fromMs' | 'toMs'>): Promise<Found> {
    const period = this.#period(asked);
    const rows = await this.rows(`SELECT ${RECORD} FROM seen WHERE ${this.where(asked.selection)}
      AND start_ms >= ${period.fromMs} AND start_ms < ${period.toMs} ${ORDER}`);
    return { status: 200, rows, period };
  }

  async #wide(asked: Asked): Promise<Expected> {
    const { rows: records } = await this.observations(asked);
    const { fromMs, toMs } = this.#period(asked);
    const rows = await this
      .rows(`SELECT station_id::VARCHAR AS station_id, any_value(s.name) AS name, start_ms,
        map_from_entries(list((seen.code, value))) AS cells
      FROM seen JOIN stations s ON s.id = station_id
      WHERE ${this.where(asked.selection)} AND start_ms >= ${fromMs} AND start_ms < ${toMs}
      GROUP BY seen.station_id, start_ms ORDER BY seen.station_id, start_ms`);
    return { status: 200, rows, codes: codesIn(records) };
  }

  async latest({ selection }: Pick<Asked, 'selection'>): Promise<Found> {
    const { near, nearest } = selection;
    const rows =
      near && nearest
        ? await this.#nearest(selection, near)
        : await this
            .rows(`SELECT ${RECORD} FROM seen WHERE ${this.where(selection)} AND value IS NOT NULL
      QUALIFY start_ms = max(start_ms) OVER (PARTITION BY seen.station_id, component_id) ${ORDER}`);
    return { status: 200, rows, period: this.#period({}) };
  }

  /** For each parameter the nearest station with a value in the hour in which the newest one of any station is. */
  async #nearest(
    selection: Selection,
    near: NonNullable<Selection['near']>,
  ): Promise<readonly Row[]> {
    return await this.rows(`SELECT ${RECORD}, distance
      FROM (FROM seen WHERE value IS NOT NULL QUALIFY start_ms = max(start_ms) OVER (PARTITION BY component_id)) AS seen
      JOIN (SELECT id, ${distanceSql(near)} AS distance FROM stations) s ON s.id = station_id WHERE ${this.where(selection)}
      QUALIFY row_number() OVER (PARTITION BY component_id ORDER BY distance, station_id) = 1 ORDER BY code_rank`);
  }

  /** A row for each station with a newest value: its description, and the records of its series. */
  async latestOfStations(asked: Pick<Asked, 'selection'>): Promise<readonly Row[]> {
    const { rows: latest } = await this.latest(asked);
    const rows = (await this.hvdStations({})).map((station) => {
      const series = latest.filter((one) => one['station_id'] === station['station_id']);
      return { ...station, series };
    });
    return rows.filter(({ series }) => series.length > 0);
  }

  async hvdStations(selection: Selection): Promise<readonly Row[]> {
    const { near } = selection;
    const order = near === undefined ? 'id' : 'distance, id';
    const distance = near === undefined ? '' : `, ${distanceSql(near)} AS distance`;
    return await this.rows(`SELECT *, id::VARCHAR AS station_id ${distance} FROM stations
      WHERE is_public AND ${stationsSql(selection)} ORDER BY ${order}`);
  }

  async #changes(selection: Selection, earlier: Oracle): Promise<Expected> {
    const side = (oracle: Oracle): string =>
      `(SELECT station_id, code, start_ms, value FROM ${oracle.#schema}.seen WHERE start_ms >= ${this.#oldestMs}
        AND ${oracle.where(selection)})`;
    const rows = await this
      .rows(`SELECT coalesce(a.station_id, b.station_id)::VARCHAR AS station_id,
        coalesce(a.code, b.code) AS parameter_code, coalesce(a.start_ms, b.start_ms) AS start_ms,
        CASE WHEN b.code IS NULL THEN 'added' WHEN a.code IS NULL THEN 'withdrawn' ELSE 'changed' END AS op,
        a.value AS value, b.value AS previous_value
      FROM ${side(this)} a FULL JOIN ${side(earlier)} b USING (station_id, code, start_ms)
      WHERE a.code IS NULL OR b.code IS NULL OR a.value IS DISTINCT FROM b.value`);
    return answerOf(
      rows.toSorted(
        (a, b) =>
          Number(a['station_id']) - Number(b['station_id']) ||
          byCodeUnits(textOf(a['parameter_code']), textOf(b['parameter_code'])) ||
          Number(a['start_ms']) - Number(b['start_ms']),
      ),
    );
  }

  async #hours(asked: Asked): Promise<Expected> {
    const rows = await this
      .rows(`SELECT start_ms, component_id::DOUBLE AS component_id, value FROM seen
      WHERE station_id = ${asked.stationId} AND organization_id = ${asked.organizationId} AND value IS NOT NULL
        AND start_ms >= ${this.generatedAtMs - 24 * HOUR_MS}
      QUALIFY ${asked.choices.endpoint === 'last-24h'} OR start_ms = max(start_ms) OVER ()
      ORDER BY start_ms, component_id`);
    return foundOf(rows);
  }

  async #series(asked: Asked): Promise<Expected> {
    const { window } = asked;
    const isSupported = this.network.supported_windows.includes(window);
    if (!isSupported || (window === '1h' && asked.choices.endpoint !== 'measurements'))
      return { status: 400 };
    // The last hour is that of the station, whatever its component.
    const hour = `(SELECT max(start_ms) FROM seen WHERE station_id = ${asked.stationId} AND value IS NOT NULL
      AND start_ms >= ${this.generatedAtMs - 24 * HOUR_MS})`;
    const since = window === '1h' ? hour : `${this.generatedAtMs - hoursOf(window) * HOUR_MS}`;
    const rows = await this
      .rows(`SELECT start_ms, value, seen.code AS code, unit, s.name, s.code AS station_code,
        s.operator, s.network_id::DOUBLE AS network_id, s.network_code
      FROM seen JOIN stations s ON s.id = station_id
      WHERE station_id = ${asked.stationId} AND seen.organization_id = ${asked.organizationId}
        AND component_id = ${asked.componentId} AND value IS NOT NULL AND start_ms >= ${since} ORDER BY start_ms`);
    return foundOf(rows);
  }

  async #stationMeta({ stationId, organizationId }: Asked): Promise<Expected> {
    const isAsked = (one: Row): boolean => one['station_id'] === stationId;
    const station = this.#legacyStations().find(isAsked);
    if (station?.['organization_id'] !== organizationId) return { status: 404 };
    const measured = this.network.measurements.filter(isAsked).map((row) => row['component_id']);
    const source = this.network.stations.find(isAsked);
    const listed: unknown = source?.['component_ids'] ?? measured;
    const components = publicOnes(this.network.components, 'component_id').filter(
      (one) => Array.isArray(listed) && listed.includes(one['component_id']),
    );
    return answerOf([{ ...station, public_components: components.map(forClients) }]);
  }

  #legacyStations(): readonly Row[] {
    const { networks, stations } = this.network;
    const codes = new Map(networks.map((one) => [one['network_id'], textOf(one['network_code'])]));
    return publicOnes(stations, 'station_id').map((one) => {
      const network_code = codes.get(one['network_id']);
      return { ...forClients(one), active: one['active'] ?? true, network_code };
    });
  }

  #period({ fromMs, toMs }: Pick<Asked, 'fromMs' | 'toMs'>): { fromMs: number; toMs: number } {
    const clamp = (ms: number): number =>
      Math.max(this.#oldestMs, Math.min(this.generatedAtMs, ms));
    const from = clamp(fromMs ?? this.#oldestMs);
    return { fromMs: from, toMs: Math.max(from, clamp(toMs ?? this.generatedAtMs)) };
  }

  where(selection: Selection): string {
    const { codes } = selection;
    const ofCodes = codes === undefined ? 'true' : `seen.code IN (${codes.map(quoted).join(', ')})`;
    return `${ofCodes} AND station_id IN (SELECT id FROM ${this.#schema}.stations WHERE ${stationsSql(selection)})`;
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

function stationsSql(selection: Selection): string {
  const { stationIds, active, municipality, stationType, box, near, rings } = selection;
  const [west = 0, south = 0, east = 0, north = 0] = box ?? [];
  // A box may cross the antimeridian.
  const and = west <= east ? 'AND' : 'OR';
  return [
    'true',
    stationIds && `id IN (${stationIds.join(', ')})`,
    active !== undefined && `active = ${active}`,
    municipality !== undefined &&
      `lower(nfc_normalize(municipality)) = lower(nfc_normalize(${quoted(municipality)}))`,
    stationType !== undefined && `station_type = ${quoted(stationType)}`,
    box &&
      `(longitude >= ${west} ${and} longitude <= ${east}) AND latitude BETWEEN ${south} AND ${north}`,
    rings && polygonSql(rings),
    // Functions such as `least` ignore missing coordinates.
    near && `longitude IS NOT NULL AND ${distanceSql(near)} <= ${near.metres}`,
  ]
    .filter(Boolean)
    .join(' AND ');
}

/** On an edge, or west of an odd number of edges: exact, by whole millionths of a degree. */
function polygonSql(rings: NonNullable<Selection['rings']>): string {
  const whole = ([x, y]: Place): string =>
    `${Math.round(x * 1e6)}::HUGEINT, ${Math.round(y * 1e6)}::HUGEINT`;
  const edges = rings.flatMap((ring) =>
    ring.slice(1).map((end, at) => `(${whole(ring[at] ?? end)}, ${whole(end)})`),
  );
  const [x, y] = ['(longitude * 1e6)::HUGEINT', '(latitude * 1e6)::HUGEINT'];
  const cross = `((x2 - x1) * (${y} - y1) - (${x} - x1) * (y2 - y1))`;
  const isOn = `${cross} = 0 AND ${x} BETWEEN least(x1, x2) AND greatest(x1, x2)
    AND ${y} BETWEEN least(y1, y2) AND greatest(y1, y2)`;
  const isWest = `(y1 <= ${y}) <> (y2 <= ${y}) AND (${cross} > 0) = (y2 > y1)`;
  return `(SELECT bool_or(${isOn}) OR count(*) FILTER (${isWest}) % 2 = 1
    FROM (VALUES ${edges.join(', ')}) AS edges (x1, y1, x2, y2))`;
}

/** Great-circle distance in metres by the haversine formula. */
function distanceSql({ latitude, longitude }: { latitude: number; longitude: number }): string {
  const half = (difference: string): string => `pow(sin(radians(${difference}) / 2), 2)`;
  const square = `${half(`latitude - (${latitude})`)} + cos(radians(latitude)) * cos(radians(${latitude})) * ${half(`longitude - (${longitude})`)}`;
  return `(2 * ${EARTH_METRES} * asin(least(1, sqrt(${square}))))`;
}

function answerOf(rows: readonly Row[]): Found {
  return { status: 200, rows };
}

function foundOf(rows: readonly Row[]): Expected {
  return rows.length === 0 ? { status: 404 } : answerOf(rows);
}

export function codesIn(records: readonly Row[]): readonly string[] {
  const codes = new Set(records.map((row) => textOf(row['parameter_code'])));
  return [...codes].toSorted(byCodeUnits);
}

function codeOf(component: Fields): string {
  return textOf(component['short_name']);
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

function quoted(text: string): string {
  return `'${text.replaceAll(`'`, `''`)}'`;
}
