/** The status of a request target, computed from its bytes without the service's code. */
import { Buffer } from 'node:buffer';

/** Targets with status 200: ids in plain digits, parameters in their documented order. */
type Known = ReadonlySet<string>;

const INTEGER = /^(?:0|-?[1-9][0-9]*)$/;
const WINDOWS = ['1h', '1d', '7d', '14d', '30d'];
const LITERAL = ['/meta', '/organizations', '/networks', '/stations', '/components'];
const UNRESERVED = /^[A-Za-z0-9._~-]$/;

/** Lengths of a target whose request head surely fits, and of one whose head surely does not. */
const FITS_BYTES = 7_500;
const TOO_LONG_BYTES = 8_300;

/** The status; undefined where it depends on other parts of the service, and for lengths near the limit. */
export function predictedStatus(target: Uint8Array, known: Known): number | undefined {
  if (target.length > TOO_LONG_BYTES) return 431;
  if (target.length > FITS_BYTES) return undefined;
  const text = Buffer.from(target).toString('latin1');
  const mark = text.indexOf('?');
  const typed = mark < 0 ? text : text.slice(0, mark);
  const query = mark < 0 ? '' : text.slice(mark + 1);
  const path = typed.replaceAll(/%[0-9A-Fa-f]{2}/g, (escape) => {
    const character = String.fromCharCode(parseInt(escape.slice(1), 16));
    return UNRESERVED.test(character) ? character : escape;
  });
  // A path with a slash at its end may be redirected.
  if (path.endsWith('/') || /^\/(?:api|\.well-known|portal|legal|docs|redoc|openapi)/.test(path)) {
    return undefined;
  }
  if (path === '/health/live' || LITERAL.includes(path)) return 200;
  if (path === '/health/ready') return deepStatus(query);
  if (path === '/measurements') return seriesStatus(query, known);
  return stationStatus(path.split('/').slice(1), known);
}

function stationStatus(segments: readonly string[], known: Known): number {
  const [organization = '', stations, station, ...rest] = segments;
  const tail = rest.join('/');
  const isList = segments.length === 2;
  const isOne = ['meta', 'measurements/last_hour', 'measurements/last_24h'].includes(tail);
  if (stations !== 'stations' || organization === '' || station === '' || !(isList || isOne)) {
    return 404;
  }
  const ids = [organization, ...(station === undefined ? [] : [station])].map(decodedSegment);
  if (!ids.every((id) => INTEGER.test(id))) return 422;
  const plain = isList ? `/${ids.join('')}/stations` : `/${ids.join('/stations/')}/${tail}`;
  return known.has(plain) ? 200 : 404;
}

function seriesStatus(query: string, known: Known): number {
  const values = parametersOf(query);
  const ids = ['organization_id', 'station_id', 'component_id'].map((name) => values.get(name));
  if (!ids.every((id) => id !== undefined && INTEGER.test(id))) return 400;
  const window = values.get('window') ?? '';
  if (!WINDOWS.includes(window)) return 400;
  const [organization, station, component] = ids.map(String);
  const plain = `/measurements?organization_id=${String(organization)}&station_id=${String(station)}&component_id=${String(component)}&window=${window}`;
  return known.has(plain) ? 200 : 404;
}

function deepStatus(query: string): number {
  const deep = (parametersOf(query).get('deep') ?? '').toLowerCase();
  return ['', 'true', 'false', '1', '0'].includes(deep) ? 200 : 422;
}

/** The last value of each parameter, decoded like forms (WHATWG URL §5.1). */
function parametersOf(query: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const part of query.split('&')) {
    const [name = '', ...rest] = part.split('=');
    if (part !== '') values.set(decoded(name), decoded(rest.join('=')));
  }
  return values;
}

function decoded(text: string): string {
  return bytesOf(text.replaceAll('+', ' ')).toString('utf8');
}

/** The decoded text; unchanged when its bytes are not UTF-8 or an escape is malformed. */
function decodedSegment(text: string): string {
  const isEscaped = /%(?![0-9A-Fa-f]{2})/.test(text);
  const value = bytesOf(text).toString('utf8');
  return isEscaped || value.includes('\uFFFD') ? text : value;
}

/** Bytes of a latin-1 text, with decoded escapes. */
function bytesOf(text: string): Buffer {
  const plain = text.replaceAll(/%([0-9A-Fa-f]{2})/g, (_escape, hex: string) =>
    String.fromCharCode(parseInt(hex, 16)),
  );
  return Buffer.from(plain, 'latin1');
}
