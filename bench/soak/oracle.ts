/**
 * The expected answers for one snapshot, worked out from the snapshot's document alone.
 *
 * The oracle shares no code with the service, so that one mistake is not made twice: nothing here or below imports from
 * `src`, which `.dependency-cruiser.cjs` enforces. Where the service joins finished chunks of text by their offsets,
 * the oracle filters lists of rows whose times are texts, and writes every answer anew.
 */
import { exportTable, readSeriesPoints } from './expected-export.js';
import { ExpectedHvd, listBody, streamBody, type Asked } from './expected-hvd.js';
import { expectedAnswers } from './expected-json.js';

export type PlainDocument = Readonly<Record<string, unknown>>;
type Plain = Readonly<Record<string, unknown>>;

/** An expected answer. */
export type Expected =
  /** The decoded body, byte for byte, and `X-Record-Count` where the answer has one. */
  | { readonly kind: 'text'; readonly body: string; readonly records?: number }
  /** The cells of a spreadsheet as they are shown; its container is not determined by the data. */
  | { readonly kind: 'table'; readonly format: 'xlsx' | 'ods'; readonly rows: readonly Cells[] }
  /** Texts that a page must contain; its markup is not determined by the data. */
  | { readonly kind: 'page'; readonly texts: readonly string[] }
  /** 404: the snapshot has nothing of that name, or no public data in that window. */
  | { readonly kind: 'absent' };

type Cells = readonly string[];

const OBSERVATIONS = '/api/v1/observations';

/** The answers of one snapshot. */
export class Oracle {
  readonly snapshotId: string;
  readonly #document: PlainDocument;
  readonly #legacy: ReadonlyMap<string, unknown>;
  readonly #whole: ExpectedHvd;
  /** Observations of one station, one parameter or both, by the query that selects them. */
  readonly #selections = new Map<string, ExpectedHvd>();

  constructor(document: PlainDocument) {
    this.snapshotId = String(document['snapshot_id']);
    this.#document = document;
    this.#legacy = expectedAnswers(document);
    this.#whole = new ExpectedHvd(document);
  }

  /** Targets of the older JSON API that are answered with 200. */
  get legacyTargets(): readonly string[] {
    return [...this.#legacy.keys()];
  }

  /** Ids of stations and codes of parameters of the high-value-dataset API. */
  get keys(): ExpectedHvd['keys'] {
    return this.#whole.keys;
  }

  /**
   * The expected answer to a request target; an unknown path counts as absent.
   *
   * @throws {Error} for an invalid time, and for the window of an unknown station.
   */
  expect(target: string): Expected {
    const { pathname, searchParams } = new URL(target, 'http://oracle.invalid');
    switch (pathname) {
      case OBSERVATIONS:
        return observationList(this.#observations(searchParams));
      case `${OBSERVATIONS}/stream`: {
        const found = this.#observations(searchParams);
        return { kind: 'text', body: streamBody(found), records: found.records.length };
      }
      case `${OBSERVATIONS}/latest`: {
        const asked = askedOf(searchParams);
        return observationList(this.#selection(asked).latest(asked));
      }
      case '/api/v1/stations':
        return stationList(this.#whole.stations());
      case '/api/v1/parameters':
        // A list that nothing filters states no X-Record-Count (docs/http-api/answers.md, "Lengths and counts").
        return { kind: 'text', body: JSON.stringify(this.#whole.parameters()) };
      case '/portal/export':
        return this.#export(target, searchParams.get('format'));
      case '/portal/station-modal':
        return { kind: 'page', texts: this.#modalTexts(searchParams) };
      case '/':
        return { kind: 'page', texts: this.#whole.stations().map((one) => shownName(one)) };
      default: {
        const body = this.#legacy.get(target);
        if (body === undefined) return { kind: 'absent' };
        return { kind: 'text', body: JSON.stringify(body) };
      }
    }
  }

  #observations(query: URLSearchParams): ReturnType<ExpectedHvd['observations']> {
    const asked = askedOf(query);
    return this.#selection(asked).observations(asked);
  }

  /** The answers for the selected station and parameter alone, so that a question has few rows to filter. */
  #selection({ stationId, parameterCode }: Asked): ExpectedHvd {
    if (stationId === undefined && parameterCode === undefined) return this.#whole;
    const key = JSON.stringify([stationId, parameterCode]);
    let found = this.#selections.get(key);
    if (found === undefined) {
      const codes = new Map(
        objects(this.#document['components']).map((one) => [
          one['component_id'],
          String(one['short_name']).trim(),
        ]),
      );
      const measurements = objects(this.#document['measurements']).filter(
        (row) =>
          (stationId === undefined || String(row['station_id']) === stationId) &&
          (parameterCode === undefined || codes.get(row['component_id']) === parameterCode),
      );
      found = new ExpectedHvd({ ...this.#document, measurements });
      this.#selections.set(key, found);
    }
    return found;
  }

  #export(target: string, format: string | null): Expected {
    const name = target.replace('/portal/export', '/measurements').replace(/&format=.*/, '');
    const series = this.#legacy.get(name);
    if (series === undefined) return { kind: 'absent' };
    const rows = exportTable(this.#document, series);
    if (format === 'xlsx' || format === 'ods') return { kind: 'table', format, rows };
    const body = rows.map((cells) => `${cells.map(csvCell).join(',')}\r\n`).join('');
    return { kind: 'text', body, records: rows.length - 1 };
  }

  /** The station's name, and the hour of its newest point as the table below the chart shows it. */
  #modalTexts(query: URLSearchParams): readonly string[] {
    const [id, component, window] = ['station_id', 'component_id', 'window'].map((name) =>
      String(query.get(name)),
    );
    const station = this.#whole.stations().find((one) => one['station_id'] === id);
    if (station === undefined) throw new Error('a station window needs a station');
    const end = `&station_id=${id}&component_id=${component}&window=${window}`;
    const series = [...this.#legacy].find(([target]) => target.endsWith(end));
    const newest = readSeriesPoints(series?.[1]).at(-1);
    const hour = newest === undefined ? [] : [`<td>${newest.date} ${newest.time}</td>`];
    return [shownName(station), ...hour];
  }
}

function observationList(found: ReturnType<ExpectedHvd['observations']>): Expected {
  return { kind: 'text', body: listBody(found), records: found.records.length };
}

function stationList(records: readonly Plain[]): Expected {
  return { kind: 'text', body: JSON.stringify(records), records: records.length };
}

function askedOf(query: URLSearchParams): Asked {
  return {
    from: isoTime(query.get('from')),
    to: isoTime(query.get('to')),
    stationId: query.get('station_id') ?? undefined,
    parameterCode: query.get('parameter_code') ?? undefined,
  };
}

/** A time as the oracle compares it; requests of the soak have them in ISO 8601 with `Z`. */
function isoTime(text: string | null): string | undefined {
  return text === null ? undefined : new Date(text).toISOString();
}

/** A station's name in HTML. */
function shownName(station: Plain): string {
  return String(station['station_name'])
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}

function csvCell(text: string): string {
  return text === '' || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function objects(list: unknown): readonly Plain[] {
  if (!Array.isArray(list)) throw new Error('a list of the document is missing');
  return list as readonly Plain[];
}
