/** Requests with invalid values, and their answers by docs/http-api (answers.md, requests.md) and the specification. */
import type { Chance } from './chance.js';
import { BY_PERIOD, PERIODIC, SELECTIVE } from './endpoints.js';
import { STATION_TYPES } from './network.js';
import type { Asked, Exact, Problem } from './request.js';

interface Invalid {
  readonly name: string;
  readonly value: string;
  readonly exact: Exact;
}

const LISTS = {
  boolean: 'perhaps|yes|2|-1|00| true|true,false|tru\u0435|\u0000|on|0.0',
  type: 'Traffic|urban |urban,rural|0|\u0442rafic|"rural"|<b>',
  layout: 'Wide|tall|long,wide|0',
  box: '1,2,3|1,2,3,4,5|a,b,c,d|181,0,182,1|0,0,181,1|5,0,4,1|0,5,1,4|1,-91,2,0|1,0,2,90.01|NaN,0,1,1|-1e400,0,1,1|,,,|1,,2,3|0x1,0,17,1|1;2;3;4|--1,0,1,1|170,0,-170,1',
  date: '2026-02-30|2025-02-29|1900-02-29|2026-13-01|2026-00-10|2026-04-31T10:00Z|2026-02-08T25:00:00Z|2026-02-08T24:01Z|2026-02-08T10:60Z|2026-02-08T10:00:61Z|2026-02-08T10:00+25:00|2026-02-08T10:00:00ZZ|2026-02-08T|T10:00Z|2026-2-8|yesterday|1770000000|2026-02-08x|\u0000',
  integer: 'abc|1.5|+1|01|1e3| 1|1 |-0|--1|0x1C|1_000|\u0663|1,2|null|\u0000',
  window: '| |2d|1D|30|1d,7d|7d ',
  format: '|pdf|CSV|csv |xls',
  snapshot: 'a/b|a b|..|\u00e9|<b>|a,b',
} as const;

/** Positions with the parameter that the answer names. */
const POSITIONS =
  'lat:lat=91&lon=0|lat:lat=a&lon=0|lat:lat=NaN&lon=0|lat:lat=-90.001&lon=0|lon:lat=0&lon=181|lon:lat=0&lon=1,2|lon:lat=0|lat:lon=0|lat:radius_m=100|radius_m:lat=0&lon=0&radius_m=0|radius_m:lat=0&lon=0&radius_m=0.5|radius_m:lat=0&lon=0&radius_m=1000001|radius_m:lat=0&lon=0&radius_m=-5|radius_m:lat=0&lon=0&radius_m=far';

/** A request with one or two invalid values; undefined for an endpoint without parameters. */
export function spoiled(chance: Chance, asked: Asked): Asked | undefined {
  const all = invalidOf(asked.choices.endpoint);
  if (/^\/\d+\/stations/.test(asked.path)) return withInvalidIds(chance, asked);
  if (all.length === 0) return undefined;
  const first = chance.pick(all);
  const others = all.filter(
    ({ name, exact }) => first.exact.problems && exact.problems && name !== first.name,
  );
  const both = others.length > 0 && chance.is(0.4) ? [first, chance.pick(others)] : [first];
  const path = both.reduce((path, invalid) => withValue(chance, path, invalid), asked.path);
  const problems = both.flatMap(({ exact }) => exact.problems ?? []);
  return { ...asked, path, exact: { ...first.exact, ...(problems.length > 0 && { problems }) } };
}

function invalidOf(endpoint: Asked['choices']['endpoint']): readonly Invalid[] {
  const isOf = (list: readonly string[]): boolean => list.includes(endpoint);
  if (isOf(['measurements', 'export'])) return invalidIds(endpoint === 'export');
  return [
    ...(isOf(SELECTIVE) ? INVALID_SELECTION : []),
    ...(isOf(SELECTIVE) && endpoint !== 'hvd-stations' ? tooMany('parameter_code') : []),
    ...(isOf(PERIODIC) ? [...invalidDates('from'), ...invalidDates('to')] : []),
    ...(isOf(['csv', 'wide', 'latest-csv'])
      ? invalidChoices('layout', LISTS.layout, ['long', 'wide'])
      : []),
    ...(endpoint === 'latest' ? INVALID_NEAREST : []),
    ...(isOf(BY_PERIOD)
      ? invalidChoices('format', 'pdf|CSV|csv |xls|csv,json', ['csv', 'json'])
      : []),
    ...(endpoint === 'changes' ? INVALID_SNAPSHOTS : []),
  ];
}

const BAD_REQUEST: Exact = { status: 400, detail: ['Invalid request parameters.'] };

function each(name: string, list: string, exact: (value: string) => Exact): readonly Invalid[] {
  return list.split('|').map((value) => ({ name, value, exact: exact(value) }));
}

function unprocessable(problem: Problem): Exact {
  return { status: 422, problems: [problem] };
}

export function invalidBooleans(name: string): readonly Invalid[] {
  const loc = ['query', name] as const;
  return each(name, LISTS.boolean, (input) => unprocessable({ loc, type: 'bool_parsing', input }));
}

export function invalidChoices(
  name: string,
  list: string,
  expected: readonly string[],
): readonly Invalid[] {
  const loc = ['query', name] as const;
  return each(name, list, (input) => unprocessable({ loc, type: 'enum', input, expected }));
}

function invalidDates(name: string): readonly Invalid[] {
  const detail = [`Invalid \`${name}\` parameter. Expected ISO 8601 datetime.`];
  return each(name, LISTS.date, () => ({ status: 400, detail }));
}

function invalidPositions(list: string): readonly Invalid[] {
  return each('position', list, (value) => ({
    status: 400,
    detail: ['Invalid position.', `\`${value.slice(0, value.indexOf(':'))}\``],
  }));
}

function tooMany(name: string): readonly Invalid[] {
  const value = Array.from({ length: 501 }, (_, at) => `${at}`).join(',');
  return [{ name, value, exact: { status: 400, detail: [`Too many values in \`${name}\`.`] } }];
}

function invalidIds(isExport: boolean): readonly Invalid[] {
  const ids = ['organization_id', 'station_id', 'component_id'];
  return [
    ...ids.flatMap((name) => each(name, `|${LISTS.integer}`, () => BAD_REQUEST)),
    ...each('window', LISTS.window, () => BAD_REQUEST),
    ...(isExport ? each('format', LISTS.format, () => BAD_REQUEST) : []),
  ];
}

const INVALID_BOX = ['Invalid bbox format. Expected min_lon,min_lat,max_lon,max_lat.'];

const INVALID_SELECTION: readonly Invalid[] = [
  ...invalidBooleans('active'),
  ...invalidChoices('station_type', LISTS.type, STATION_TYPES),
  ...each('bbox', LISTS.box, () => ({ status: 400, detail: INVALID_BOX })),
  ...invalidPositions(POSITIONS),
  ...tooMany('station_id'),
];

const INVALID_NEAREST = [...invalidBooleans('nearest'), ...invalidPositions('lat:nearest=true')];

const GONE = 'Changes since this snapshot are not available any more. Read the whole dataset.';

const INVALID_SNAPSHOTS: readonly Invalid[] = [
  ...each('since', LISTS.snapshot, () => BAD_REQUEST),
  ...each('since', '', (input) =>
    unprocessable({ loc: ['query', 'since'], type: 'missing', input }),
  ),
  ...each('since', 'never-published', () => ({ status: 410, detail: [GONE] })),
];

/** Gives a parameter an invalid value: the last one, which counts, or instead of a valid one. */
function withValue(chance: Chance, path: string, { name, value }: Invalid): string {
  const [file = '', query = ''] = path.split('?');
  const names = name === 'position' ? ['lat', 'lon', 'radius_m'] : [name, `${name}[]`];
  const isKept = chance.is(0.2) && value !== '' && name !== 'position' && name !== 'station_id';
  const parts = query
    .split('&')
    .filter((part) => part !== '' && (isKept || !names.includes(part.replace(/=.*/, ''))));
  const added =
    name === 'position' ? value.replace(/^.*:/, '') : `${name}=${escaped(chance, value)}`;
  // A blank parameter counts as a missing one, but the problem repeats it.
  const isLeftOut = value === '' && name !== 'since' && chance.is(0.5);
  return `${file}?${[...parts, ...(isLeftOut ? [] : [added])].join('&')}`;
}

/** The escaped text; now and then every byte is, which means the same. */
function escaped(chance: Chance, text: string): string {
  if (chance.is(0.8) || text.length > 999) return encodeURIComponent(text);
  return [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
}

/** Ids of a path that are no integers; all are named at once. */
function withInvalidIds(chance: Chance, asked: Asked): Asked {
  const segments = asked.path.split('/');
  const problems: Problem[] = [];
  const ids = segments.map((segment, at) => {
    if (!/^\d+$/.test(segment) || chance.is(0.4)) return segment;
    const input = chance.pick(LISTS.integer.split('|'));
    const name = at === 1 ? 'organization_id' : 'station_id';
    problems.push({ loc: ['path', name], type: 'int_parsing', input });
    return escaped(chance, input);
  });
  if (problems.length === 0) return asked;
  return { ...asked, path: ids.join('/'), exact: { status: 422, problems } };
}
