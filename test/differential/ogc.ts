/** Answers that the OGC API must give (docs/http-api/ogc.md), by the oracle's records and stations. */
import { parse } from 'csv-parse/sync';
import type { Answer } from '../support/service/connection.js';
import { firstDifference } from './compare.js';
import { fieldsProblem, plainBody, REFUSED, statusProblem } from './http-exchange.js';
import { HOUR_MS, RETENTION_HOURS, textOf } from './network.js';
import type { OgcAsked } from './ogc-request.js';
import { codesIn, type Oracle, type Row } from './oracle.js';
import { hvdStation, list, object, record, table, utc } from './records.js';

const TYPES = {
  CoverageJSON: 'application/prs.coverage+json',
  GeoJSON: 'application/geo+json',
  CSV: 'text/csv; charset=utf-8; header=present',
  html: 'text/html; charset=utf-8',
};

/** A request, the stations that it selects (at a position the nearest first), and the oracle. */
interface Of {
  readonly asked: OgcAsked;
  readonly stations: readonly Row[];
  readonly oracle: Oracle;
}

export async function ogcProblem(
  asked: OgcAsked,
  answer: Answer,
  { oracle, snapshotId }: { readonly oracle: Oracle; readonly snapshotId: string },
): Promise<string | undefined> {
  const { ogc, format, selection, refused } = asked;
  const stations = await oracle.hvdStations(selection);
  const isUnknown = ogc === 'location' && stations.length === 0;
  const errors = [refused ?? [], isUnknown ? 404 : []].flat();
  const [status = 200] = errors.includes(answer.status) ? [answer.status] : errors;
  const right = { 'content-type': TYPES[format], 'x-snapshot-id': snapshotId };
  const wrong =
    statusProblem(answer, status) ?? fieldsProblem(answer, status === 200 ? right : REFUSED);
  if (wrong !== undefined || status !== 200 || format === 'html') return wrong;
  const text = plainBody(answer).toString();
  const of = { asked, stations, oracle };
  if (ogc === 'items' || ogc === 'locations')
    return firstDifference(readPage(text, snapshotId), await expectedPage(of));
  const rows = await recordsOf(of);
  if (format !== 'CSV') return firstDifference(readValues(text), expectedValues(rows, of));
  const cells = table(rows, (row) => record(row, oracle));
  return firstDifference(parse(text), cells);
}

/** Records of the hours that share a moment with the interval; at a position, for each parameter the nearest station's. */
async function recordsOf({ asked, stations, oracle }: Of): Promise<readonly Row[]> {
  const { ogc, selection, fromMs = 0, toMs = Number.MAX_SAFE_INTEGER } = asked;
  const period = { fromMs: fromMs - HOUR_MS + 1, toMs: toMs + 1 };
  const { rows } = await oracle.observations({ selection, ...period });
  if (ogc !== 'position') return rows;
  const ranks = new Map(stations.map(({ station_id: id }, at) => [id, at]));
  const rankOf = (row: Row): number => ranks.get(row['station_id']) ?? Infinity;
  const found = rows.filter(({ value }) => value !== null);
  const farFirst = found.toSorted((a, b) => rankOf(b) - rankOf(a));
  const nearest = new Map(farFirst.map((row) => [row['parameter_code'], row['station_id']]));
  return rows.filter((row) => nearest.get(row['parameter_code']) === row['station_id']);
}

/** Properties of a feature that are no values. */
const DESCRIPTIONS = new Set(['station_name', 'label', 'parameter-name', 'edrqueryendpoint']);

/** Coverages or features, and their values, in their order. */
function readValues(text: string): unknown {
  const { parameters, coverages, features, ...rest } = object(JSON.parse(text));
  const { numberMatched, numberReturned } = rest;
  const ofCoverages = list(coverages).flatMap(({ id, domain, ranges }) => {
    const { x, y, t } = object(object(domain)['axes']);
    const [place, times] = [[x, y].flatMap(valuesOf), valuesOf(t)];
    return Object.entries(object(ranges)).flatMap(([code, range]) =>
      valuesOf(range).map((value, at) => [id, place, times[at], code, value]),
    );
  });
  const ofFeatures = list(features).flatMap(({ geometry, properties }) => {
    const { station_id: id, datetime, ...others } = object(properties);
    const values = Object.entries(others).filter(([name]) => !DESCRIPTIONS.has(name));
    const place = object(geometry)['coordinates'];
    return values.map(([code, value]) => [id, place, datetime, code, value]);
  });
  // CoverageJSON has them by code, EDR GeoJSON as a list.
  const codes = Object.values(object(parameters)).map((one) => textOf(object(one)['id']));
  return {
    ...{ numberMatched, numberReturned, codes: codes.toSorted() },
    ids: list(coverages ?? features).map(({ id }) => id),
    values: [...ofCoverages, ...ofFeatures].filter((one) => one.at(-1) !== null),
  };
}

function valuesOf(member: unknown): readonly unknown[] {
  const { values } = object(member);
  return Array.isArray(values) ? values : [];
}

type Cell = readonly [id: string, time: string, code: unknown, value: unknown];

/** A coverage for each station with coordinates, by parameter and hour; or a feature for each station and hour. */
function expectedValues(rows: readonly Row[], { asked, stations }: Of): unknown {
  const isCoverage = asked.format === 'CoverageJSON';
  const places = new Map(
    stations.map((one) => [textOf(one['station_id']), geometryOf(one)?.coordinates]),
  );
  const all = rows.map(({ station_id: id, start_ms: ms, parameter_code: code, value }): Cell => {
    return [textOf(id), utc(ms), code, value];
  });
  // A coverage needs a place and a value.
  const measured = new Set(all.flatMap(([id, , , value]) => (value === null ? [] : [id])));
  const isShown = (id: string): boolean => places.get(id) !== undefined && measured.has(id);
  const cells = all.filter(([id]) => !isCoverage || isShown(id));
  const byTime = (a: Cell, b: Cell): number =>
    Number(a[0]) - Number(b[0]) || Date.parse(a[1]) - Date.parse(b[1]);
  const inOrder = isCoverage ? cells : cells.toSorted(byTime);
  const ids = new Set(inOrder.map(([id, time]) => (isCoverage ? id : `${id}:${time}`)));
  const count = isCoverage ? undefined : ids.size;
  const values = inOrder.filter(([, , , value]) => value !== null);
  return {
    ...{ numberMatched: count, numberReturned: count, codes: codesIn(rows).toSorted() },
    ids: [...ids],
    values: values.map(([id, ...cell]) => [id, places.get(id), ...cell]),
  };
}

function geometryOf({ longitude, latitude }: Row) {
  const coordinates = [longitude, latitude];
  return typeof longitude === 'number' ? { type: 'Point', coordinates } : null;
}

/** A page of features; of its links, those to itself and to the next page of the snapshot. */
function readPage(text: string, snapshotId: string): unknown {
  const { links, ...page } = object(JSON.parse(text));
  const hrefOf = (rel: string): string =>
    textOf(list(links).find((one) => one['rel'] === rel)?.['href']);
  const next = addressOf(hrefOf('next').replace(`snapshot=${snapshotId}`, 'snapshot=ACTIVE'));
  return { ...page, self: addressOf(hrefOf('self')), next: hrefOf('next') && next };
}

/** An address without its host, with decoded parameters. */
function addressOf(href: string): readonly [path: string, query: Row] {
  const { pathname, searchParams } = new URL(href, 'http://localhost');
  return [pathname, Object.fromEntries(searchParams)];
}

async function expectedPage(of: Of): Promise<unknown> {
  const { asked, oracle } = of;
  const { fromMs = -Infinity, toMs = Infinity, limit = 1000, offset = 0, ogc } = asked;
  const all = await featuresOf(of);
  const matched = all.filter(({ times: [first, last] }) => first <= toMs && last >= fromMs);
  const end = offset + (ogc === 'items' ? Math.min(limit, 10_000) : Infinity);
  const features = matched.slice(offset, end).map(({ times: _, ...one }) => one);
  const [file, query] = addressOf(asked.path);
  const next = [file, { ...query, snapshot: 'ACTIVE', offset: `${end}` }];
  return {
    ...{ type: 'FeatureCollection', features },
    ...{ numberMatched: matched.length, numberReturned: features.length },
    timeStamp: utc(oracle.generatedAtMs),
    ...{ self: [file, query], next: end < matched.length ? next : '' },
  };
}

/** Features, each with its first and its last millisecond. */
async function featuresOf({ asked: { collection, selection }, stations, oracle }: Of) {
  const feature = (station: Row, id: string, properties: Row, times: readonly [number, number]) => {
    return { type: 'Feature', id, geometry: geometryOf(station), properties, times } as const;
  };
  if (collection === 'latest') {
    return (await oracle.latestOfStations({ selection })).flatMap((station) =>
      list(station['series']).map((row) => {
        const startMs = Number(row['start_ms']);
        const id = `${textOf(row['station_id'])}:${textOf(row['parameter_code'])}`;
        const properties = { station_name: station['name'], ...record(row, oracle) };
        return feature(station, id, properties, [startMs, startMs + HOUR_MS - 1]);
      }),
    );
  }
  const isLocation = collection === 'observations';
  const records = isLocation ? (await oracle.observations({ selection })).rows : [];
  const [startMs, endMs] = [oracle.generatedAtMs - RETENTION_HOURS * HOUR_MS, oracle.generatedAtMs];
  return stations.map((row) => {
    const { station_id: id, name: label, start_date: first, end_date: last } = row;
    const codes = codesIn(records.filter((one) => one['station_id'] === id));
    const address = `http://localhost/ogc/collections/observations/locations/${textOf(id)}`;
    const edr = { datetime: `${utc(startMs)}/${utc(endMs)}`, edrqueryendpoint: address };
    if (isLocation)
      return feature(row, textOf(id), { label, ...edr, 'parameter-name': codes }, [startMs, endMs]);
    const fromMs = first === null ? -Infinity : Date.parse(textOf(first));
    const toMs = last === null ? Infinity : Date.parse(textOf(last)) + 24 * HOUR_MS - 1;
    return feature(row, textOf(id), hvdStation(row, oracle), [fromMs, toMs]);
  });
}
