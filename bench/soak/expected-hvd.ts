/**
 * The expected answers of the high-value-dataset API, computed from the plain document without the service's code.
 *
 * The service joins chunks of text by offsets; this module filters rows whose times are texts, so that the two do not
 * share mistakes.
 */
import { objectsOf, type PlainDocument } from '../../test/support/documents/documents.js';
import { STREAM_META } from '../../test/support/expected/expected-hvd.js';

type Plain = Readonly<Record<string, unknown>>;

/** Parameters of a request; times are ISO 8601 with `Z` and milliseconds, so that they compare as texts. */
export interface Asked {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly stationId?: string | undefined;
  readonly parameterCode?: string | undefined;
}

interface ExpectedObservations {
  /** Records in the order of the list. */
  readonly records: readonly Plain[];
  /** The `meta` of the list, without `count`. */
  readonly meta: Plain;
}

/** Expected answers for one document. */
export class ExpectedHvd {
  readonly #document: PlainDocument;
  /** All public observations, in order. */
  readonly #records: readonly Plain[];
  /** Start times of the records, as texts for comparison. */
  readonly #starts: readonly string[];
  readonly #oldest: string;
  readonly #generatedAt: string;

  constructor(document: PlainDocument) {
    this.#document = document;
    this.#generatedAt = new Date(String(document['generated_at'])).toISOString();
    this.#oldest = later(this.#generatedAt, -30 * 24);
    this.#records = this.#visibleRecords();
    this.#starts = this.#records.map((record) =>
      new Date(String(record['time_start_utc'])).toISOString(),
    );
  }

  /** Ids of public stations and codes of public parameters. */
  get keys(): {
    readonly stationIds: readonly string[];
    readonly parameterCodes: readonly string[];
  } {
    return {
      stationIds: this.stations().map((station) => String(station['station_id'])),
      parameterCodes: this.parameters().map((parameter) => String(parameter['parameter_code'])),
    };
  }

  observations(asked: Asked = {}): ExpectedObservations {
    const window = this.#actualWindow(asked);
    const records = this.#records.filter((record, at) => {
      const start = this.#starts[at] ?? '';
      return (
        (asked.stationId === undefined || record['station_id'] === asked.stationId) &&
        (asked.parameterCode === undefined || record['parameter_code'] === asked.parameterCode) &&
        start >= window.from &&
        start < window.to
      );
    });
    return { records, meta: this.#meta(asked, window) };
  }

  /** The newest value of each series. */
  latest(asked: Asked = {}): ExpectedObservations {
    const { stationId, parameterCode } = asked;
    const { records, meta } = this.observations({ stationId, parameterCode });
    const newest = new Map<string, Plain>();
    for (const record of records) {
      if (record['value'] === null) continue;
      newest.set(JSON.stringify([record['station_id'], record['parameter_code']]), record);
    }
    return { records: [...newest.values()], meta };
  }

  stations(): readonly Plain[] {
    const names = nameById(objectsOf(this.#document, 'organizations'), 'organization_id', 'name');
    const codes = nameById(objectsOf(this.#document, 'networks'), 'network_id', 'network_code');
    return publicOnes(this.#document, 'stations')
      .toSorted((a, b) => Number(a['station_id']) - Number(b['station_id']))
      .map((station) => ({
        station_id: String(station['station_id']),
        station_name: trimmed(station['station_name']),
        station_code: trimmed(station['station_code']),
        latitude: station['latitude'] ?? null,
        longitude: station['longitude'] ?? null,
        municipality: known(station['municipality']),
        station_type: known(station['station_type']),
        operator: names.get(station['organization_id']),
        active: station['active'] ?? true,
        last_updated_utc: seconds(this.#generatedAt),
        elevation_m: station['elevation_m'] ?? null,
        address: known(station['address']),
        start_date: known(station['start_date']),
        end_date: known(station['end_date']),
        notes: known(station['notes']),
        network_id: station['network_id'],
        network_code: codes.get(station['network_id']),
      }));
  }

  parameters(): readonly Plain[] {
    return publicOnes(this.#document, 'components')
      .map((component) => ({
        parameter_code: trimmed(component['short_name']),
        parameter_name: trimmed(component['short_name']),
        unit: trimmed(component['unit']),
        averaging_period: '1h',
        cas_number: known(component['cas_number']),
        description: known(component['description']),
      }))
      .toSorted((a, b) => compare(a.parameter_code, b.parameter_code));
  }

  #visibleRecords(): readonly Plain[] {
    const stations = new Set(this.stations().map((station) => station['station_id']));
    const components = new Map(
      publicOnes(this.#document, 'components').map((one) => [one['component_id'], one]),
    );
    const records: Plain[] = [];
    for (const row of objectsOf(this.#document, 'measurements')) {
      const start = `${String(row['date'])}T${String(row['time'])}:00.000Z`;
      const component = components.get(row['component_id']);
      const stationId = String(row['station_id']);
      const isSeen = start >= this.#oldest && start < this.#generatedAt;
      if (!isSeen || component === undefined || !stations.has(stationId)) continue;
      records.push({
        station_id: stationId,
        parameter_code: trimmed(component['short_name']),
        time_start_utc: seconds(start),
        time_end_utc: seconds(later(start, 1)),
        value: row['value'],
        unit: trimmed(component['unit']),
        data_status: 'preliminary',
        aggregation_type: 'hourly_mean',
        published_at_utc: seconds(this.#generatedAt),
        updated_at_utc: seconds(this.#generatedAt),
        coverage: null,
      });
    }
    return records.toSorted(
      (a, b) =>
        Number(a['station_id']) - Number(b['station_id']) ||
        compare(a['parameter_code'], b['parameter_code']) ||
        compare(a['time_start_utc'], b['time_start_utc']),
    );
  }

  /** The window within retention; `to` is never before `from` (docs/http-api/requests.md, "Observation windows"). */
  #actualWindow({ from, to }: Asked): { readonly from: string; readonly to: string } {
    const clamped = (time: string): string =>
      [this.#oldest, time, this.#generatedAt].toSorted(compare)[1] ?? time;
    const start = clamped(from ?? this.#oldest);
    const end = clamped(to ?? this.#generatedAt);
    return { from: start, to: end < start ? start : end };
  }

  #meta({ from, to }: Asked, actual: { readonly from: string; readonly to: string }): Plain {
    const isAsked = from !== undefined || to !== undefined;
    return {
      snapshot_id: this.#document['snapshot_id'],
      generated_at_utc: seconds(this.#generatedAt),
      retention_days: 30,
      data_status: 'preliminary',
      aggregation_type: 'hourly_mean',
      requested_window: isAsked
        ? { from: from ? seconds(from) : null, to: to ? seconds(to) : null }
        : null,
      actual_window: { from: seconds(actual.from), to: seconds(actual.to) },
      out_of_retention_window: actual.from === actual.to,
    };
  }
}

/** The body of `/api/v1/observations`. */
export function listBody({ records, meta }: ExpectedObservations): string {
  return JSON.stringify({ data: records, meta: { ...meta, count: records.length } });
}

/** The body of `/api/v1/observations/stream`. */
export function streamBody({ records, meta }: ExpectedObservations): string {
  const lines = [{ meta: { ...meta, ...STREAM_META } }, ...records];
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

function nameById(list: readonly Plain[], id: string, name: string): ReadonlyMap<unknown, unknown> {
  return new Map(list.map((one) => [one[id], trimmed(one[name])]));
}

function publicOnes(document: PlainDocument, list: string): readonly Plain[] {
  return objectsOf(document, list).filter((one) => one['public'] !== false);
}

function trimmed(value: unknown): string {
  return String(value).trim();
}

/** The trimmed text; null when empty. */
function known(value: unknown): string | null {
  const text = typeof value === 'string' ? value.trim() : '';
  return text === '' ? null : text;
}

function later(time: string, hours: number): string {
  return new Date(Date.parse(time) + hours * 3_600_000).toISOString();
}

/** The time to the second, such as `2026-09-09T23:00:00Z`. */
function seconds(time: string): string {
  return `${time.slice(0, 19)}Z`;
}

function compare(a: unknown, b: unknown): number {
  const [first, second] = [String(a), String(b)];
  return first === second ? 0 : first < second ? -1 : 1;
}
