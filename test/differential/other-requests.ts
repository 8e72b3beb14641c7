/** Variants of a request, and requests whose answers depend on no data: unknown paths, languages, harmless parameters. */
import type { Chance } from './chance.js';
import { PERIODIC, SELECTIVE } from './endpoints.js';
import { invalidBooleans, invalidChoices, spoiled } from './invalid.js';
import { LANGUAGES, someLanguage } from './page-request.js';
import type { Asked, Exact } from './request.js';

type Other = Pick<Asked, 'path'> & { readonly exact: Exact };

/** Values of `Accept`, separated by `|`, that give HTML a higher weight than JSON, and others. */
const FOR_PEOPLE =
  'text/html|TEXT/HTML|application/xhtml+xml|text/html, application/json;q=0.9|text/html;q=0.5,*/*;q=0.4|text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const FOR_PROGRAMS =
  'application/json|*/*|image/png|text/html, */*|text/html;q=0, */*|text/html;q=0.5, application/json';

const UNKNOWN = ['/nothing', '/META', '/meta/x', '//meta', '/1/stations/1/none', '/a'.repeat(17)];
const UNKNOWN_OF_API = ['/api/v1/nothing', '/api/v2', '/api/v1/observations/latest/x'];
const UNKNOWN_FILES = ['none.csv', '..%2Fstations.csv', 'STATIONS.csv', 'stations.csv%00', '.'];

/** Now and then another request than the given one, or the given one with parameters that change nothing. */
export function varied(chance: Chance, asked: Asked): Asked {
  const kind = chance.number();
  if (kind < 0.15) return spoiled(chance, asked) ?? asked;
  if (kind < 0.2) return { ...asked, ...otherRequest(chance) };
  return kind < 0.4 ? withHarmless(chance, asked) : asked;
}

function otherRequest(chance: Chance): Other {
  const known = chance.pick(['/meta', '/api/v1/stations', '/', '/nothing']);
  const file = `/api/v1/bulk/${chance.pick(UNKNOWN_FILES)}`;
  return chance.pick<() => Other>([
    () => ({ path: chance.pick(UNKNOWN), exact: notFound(chance) }),
    () => ({ path: chance.pick(UNKNOWN_OF_API), exact: ofApi(chance, 'Not Found') }),
    () => ({ path: file, exact: ofApi(chance, 'Bulk resource not found.') }),
    () => ({ path: `${known}?name=${'x'.repeat(8300)}`, exact: { status: 431 } }),
    () => inLanguage(chance),
    () => invalidElsewhere(chance),
  ])();
}

/** The 404 of an unknown path: a page for people, JSON for programs. */
function notFound(chance: Chance): Exact {
  if (chance.is(0.5)) {
    const html = { 'content-type': 'text/html; charset=utf-8', vary: 'Accept-Encoding, Accept' };
    const fields = { Accept: chance.pick(FOR_PEOPLE.split('|')) };
    return { status: 404, fields, answered: html };
  }
  const fields = chance.is(0.3) ? {} : { Accept: chance.pick(FOR_PROGRAMS.split('|')) };
  return { status: 404, fields, detail: ['Not Found'], answered: { vary: 'Accept' } };
}

function ofApi(chance: Chance, detail: string): Exact {
  const fields = { Accept: chance.pick(`${FOR_PEOPLE}|${FOR_PROGRAMS}`.split('|')) };
  return { status: 404, fields, detail: [detail] };
}

function inLanguage(chance: Chance): Other {
  const [accepted, preferred] = someLanguage(chance);
  const asked = chance.pick([...LANGUAGES, '', 'xx']);
  const isPreferred = chance.is(0.6);
  // An address with a query decides without the field.
  const path = isPreferred ? '/' : `/?language=${asked}`;
  const chosen = LANGUAGES.find((one) => one === asked) ?? 'sr-Latn';
  const answered = {
    'content-language': isPreferred ? preferred : chosen,
    vary: `Accept-Encoding, Host${isPreferred ? ', Accept-Language' : ''}`,
  };
  return { path, exact: { status: 200, fields: { 'Accept-Language': accepted }, answered } };
}

/** Invalid values of paths that are no endpoints of data. */
function invalidElsewhere(chance: Chance): Other {
  const languages = 'xx|EN|sr|sr-latn|en,sr-Latn|\u0000';
  const [path, invalid] = chance.pick([
    ['/health/ready', invalidBooleans('deep')],
    ['/api/v1/data-dictionary', invalidChoices('language', languages, LANGUAGES)],
    ['/legal/license', invalidChoices('language', languages, LANGUAGES)],
    ['/legal/qos', invalidChoices('theme', 'Dark|blue|light,dark', ['light', 'dark'])],
  ] as const);
  const { name, value, exact } = chance.pick(invalid);
  return { path: `${path}?${name}=${encodeURIComponent(value)}`, exact };
}

/** Adds unknown parameters, blank ones, and invalid values before valid ones, of which the last counts. */
function withHarmless(chance: Chance, asked: Asked): Asked {
  const [file = '', query = ''] = asked.path.split('?');
  const { endpoint } = asked.choices;
  const isThere = (name: string): boolean => `&${query}`.includes(`&${name}=`);
  const optional = [
    ...(SELECTIVE.includes(endpoint) ? ['active', 'municipality', 'station_type', 'bbox'] : []),
    ...(PERIODIC.includes(endpoint) ? ['from', 'to'] : []),
    ...(endpoint === 'latest' ? ['nearest'] : []),
  ];
  const blank = optional.filter((name) => !isThere(name) && chance.is(0.3));
  const overridden = [
    'active',
    'station_type',
    'bbox',
    'from',
    'to',
    'nearest',
    'window',
    'component_id',
  ]
    .filter((name) => isThere(name) && chance.is(0.5))
    .map((name) => `${name}=invalid`);
  const unknown = chance.some(['stationid', 'x', 'a b', 'ж', 'FROM', '__proto__'], 3);
  const ignored = chance.is(0.5) ? unknown.map(encodeURIComponent) : [];
  const added = [...blank.map((name) => `${name}=`), ...ignored.map((name) => `${name}=1`)];
  const text = [...overridden, query, ...added].filter((part) => part !== '').join('&');
  const path = text === '' ? file : `${file}?${text}`;
  return { ...asked, path, ...(ignored.length > 0 && { ignored: ignored.join(', ') }) };
}
