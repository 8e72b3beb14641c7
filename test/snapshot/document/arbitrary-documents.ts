/** Any valid document for fast-check, written in any way. */
import fc from 'fast-check';
import { STATION_TYPES, WINDOWS, type JsonValue } from '../../../src/snapshot/domain/model.js';

export type Plain = Record<string, JsonValue>;

/** A document and its parts. */
export interface ValidDocument {
  readonly header: Plain;
  readonly organizations: readonly Plain[];
  readonly networks: readonly Plain[];
  readonly components: readonly Plain[];
  readonly stations: readonly Plain[];
  readonly measurements: readonly Plain[];
}

const id = fc.oneof(fc.nat(50), fc.maxSafeNat());
const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.constantFrom('Beograd ', ' Ниш', 'Ethyl benzene', 'ug.m-3', '', 'Čačak\t'),
);
const number = fc
  .double({ noNaN: true, noDefaultInfinity: true })
  .map((value) => (value === 0 ? 0 : value));

const KNOWN =
  /^(?:.*_id|.*name|.*code|.*_ids|.*type|.*_date|.*itude|public|active|unit|city|notes|address|elevation_m|cas_number|description|municipality|public_components|validated|qa_flag|compliance|exceedance)$/;

/** Members beyond the documented ones (docs/snapshot-format.md, "Members"), `__proto__` among them. */
const additional = fc
  .dictionary(
    fc
      .oneof(
        fc.constantFrom('__proto__', 'phone', 'constructor', 'a b'),
        fc.string({ unit: 'grapheme', maxLength: 6 }),
      )
      .filter((name) => !KNOWN.test(name)),
    fc.jsonValue({ maxDepth: 2 }),
    { maxKeys: 3 },
  )
  // The members after a round trip through JSON: without a negative zero, with own members only.
  .map((members) => JSON.parse(JSON.stringify(members)) as Plain);

/** Some of the members, each of which may be absent or null. */
function optional(members: Readonly<Record<string, fc.Arbitrary<JsonValue>>>): fc.Arbitrary<Plain> {
  const all = Object.entries(members).map(([name, value]): [string, fc.Arbitrary<JsonValue>] => [
    name,
    fc.option(value, { freq: 4 }),
  ]);
  return fc.record(Object.fromEntries(all), { requiredKeys: [] }) as fc.Arbitrary<Plain>;
}

const date = fc
  .date({
    min: new Date('1900-01-01T00:00:00Z'),
    max: new Date('2199-12-31T00:00:00Z'),
    noInvalidDate: true,
  })
  .map((day) => day.toISOString().slice(0, 10));

function list(idName: string, element: fc.Arbitrary<Plain>): fc.Arbitrary<Plain[]> {
  return fc
    .tuple(
      fc.uniqueArray(id, { minLength: 1, maxLength: 4 }),
      fc.array(element, { minLength: 4, maxLength: 4 }),
    )
    .map(([ids, elements]) => ids.map((one, index) => merged({ [idName]: one }, elements[index])));
}

/** The first object's members, then those of the others; `__proto__` stays a member. */
function merged(...objects: readonly (Plain | undefined)[]): Plain {
  return Object.fromEntries(objects.flatMap((object) => Object.entries(object ?? {})));
}

function withAdditional(members: fc.Arbitrary<Plain>): fc.Arbitrary<Plain> {
  return fc.tuple(additional, members).map(([more, own]) => merged(more, own));
}

const organizations = list(
  'organization_id',
  withAdditional(fc.record({ name: text, short_name: text })),
);
const networks = list(
  'network_id',
  withAdditional(fc.record({ network_code: text, name: text, short_name: text })),
);
const components = list(
  'component_id',
  withAdditional(
    fc
      .tuple(
        fc.record({ unit: text }),
        optional({
          public: fc.boolean(),
          cas_number: text,
          description: text,
          parameter_name: text,
        }),
      )
      .map(([own, more]) => merged(own, more)),
  ),
).map((all) => all.map((one, index) => merged(one, { short_name: ` PM${index} ` })));

/** Ids of a list's elements. */
function idsOf(elements: readonly Plain[], name: string): number[] {
  return elements.map((element) => Number(element[name]));
}

function stations(refer: {
  readonly organizations: readonly Plain[];
  readonly networks: readonly Plain[];
  readonly components: readonly Plain[];
}): fc.Arbitrary<Plain[]> {
  const componentIds = idsOf(refer.components, 'component_id');
  const own = fc.record({
    station_name: text,
    station_code: text,
    organization_id: fc.constantFrom(...idsOf(refer.organizations, 'organization_id')),
    network_id: fc.constantFrom(...idsOf(refer.networks, 'network_id')),
  });
  const more = optional({
    city: text,
    municipality: text,
    station_type: fc.constantFrom(...STATION_TYPES),
    elevation_m: number,
    address: text,
    start_date: date,
    end_date: date,
    notes: text,
    active: fc.boolean(),
    public: fc.boolean(),
    component_ids: fc.subarray(componentIds),
  });
  const coordinates = fc.option(
    fc.record({
      latitude: fc.double({ min: -90, max: 90, noNaN: true }).map((value) => value + 0),
      longitude: fc.double({ min: -180, max: 180, noNaN: true }).map((value) => value + 0),
    }),
    { nil: {} },
  );
  const element = fc
    .tuple(own, more, coordinates)
    .map(([first, second, third]): Plain => merged(first, second, third));
  return list('station_id', withAdditional(element));
}

const instant = fc
  .tuple(
    fc.integer({ min: -5_000_000_000_000, max: 5_000_000_000_000 }),
    fc.constantFrom('Z', '+00:00'),
    fc.constantFrom(16, 19, 21, 23),
  )
  .map(([epochMs, zone, length]) => new Date(epochMs).toISOString().slice(0, length) + zone);

/** Times of publication and update: neither, the first, or both in order. */
const times: fc.Arbitrary<Plain> = fc
  .record({ published_at_utc: fc.option(instant), later: fc.option(instant) }, { requiredKeys: [] })
  .map(({ published_at_utc: published, later }): Plain => {
    if (published === undefined) return {};
    if (published === null || later === undefined) return { published_at_utc: published };
    const isLater = later === null || Date.parse(later) >= Date.parse(published);
    return {
      published_at_utc: published,
      updated_at_utc: isLater ? later : published,
    };
  });

/** Any values of the same members before schema version 1.3.0. */
const anyTimes = fc.dictionary(
  fc.constantFrom('published_at_utc', 'updated_at_utc'),
  fc.oneof(instant, fc.jsonValue({ maxDepth: 2 })),
) as fc.Arbitrary<Plain>;

function rows(
  stationIds: readonly number[],
  componentIds: readonly number[],
  more: fc.Arbitrary<Plain>,
): fc.Arbitrary<Plain[]> {
  const key = fc.tuple(
    fc.constantFrom(...stationIds),
    fc.constantFrom(...componentIds),
    fc.oneof(
      fc.integer({ min: 496_900, max: 496_943 }),
      fc.integer({ min: -600_000, max: 2_000_000 }),
    ),
  );
  return fc
    .uniqueArray(fc.tuple(key, fc.option(number), more), {
      maxLength: 30,
      selector: ([parts]) => parts.join('/'),
    })
    .map((all) =>
      all.map(([[stationId, componentId, hour], value, members]) => {
        const when = new Date(hour * 3_600_000).toISOString();
        return {
          station_id: stationId,
          component_id: componentId,
          date: when.slice(0, 10),
          time: when.slice(11, 16),
          value,
          ...members,
        };
      }),
    );
}

const header = fc.record({
  schema_version: fc.constantFrom('1.2.0', '1.3.0'),
  snapshot_id: fc.stringMatching(/^[A-Za-z0-9_-][A-Za-z0-9._-]{0,40}$/),
  generated_at: fc
    .integer({ min: 0, max: 4_000_000_000_000 })
    .map((milliseconds) => new Date(milliseconds).toISOString()),
  supported_windows: fc.shuffledSubarray([...WINDOWS]),
});

/** Whether the document's schema version has names of parameters and times of rows. */
function isNew(one: Plain): boolean {
  return one['schema_version'] === '1.3.0';
}

/** Any valid document of a few elements in each list. */
export const validDocument: fc.Arbitrary<ValidDocument> = fc
  .record({ header, organizations, networks, components })
  .chain((part) =>
    stations(part).chain((all) =>
      rows(
        idsOf(all, 'station_id'),
        idsOf(part.components, 'component_id'),
        isNew(part.header) ? times : anyTimes,
      ).map((measurements) => ({ ...part, stations: all, measurements })),
    ),
  );

/** The document as one JSON value. */
export function wholeDocument({ header: first, ...lists }: ValidDocument): Plain {
  const counts = {
    organizations: lists.organizations.length,
    networks: lists.networks.length,
    stations: lists.stations.length,
    components: lists.components.length,
    measurement_rows: lists.measurements.length,
  };
  return { ...first, counts, ...lists };
}

/**
 * JSON of a value with members in another order, white space anywhere, and characters escaped or not, as `choice(n)`
 * decides (0 to n - 1).
 */
export function writtenAnyHow(value: JsonValue, choice: (n: number) => number): string {
  const space = (): string => ['', '', '', ' ', '\n', '\t', '\r\n  '][choice(7)] ?? '';
  const around = (json: string): string => `${space()}${json}${space()}`;
  const write = (one: JsonValue): string => {
    if (typeof one === 'string') return writtenText(one, choice);
    if (typeof one !== 'object' || one === null) return JSON.stringify(one);
    if (isList(one)) return `[${one.map((element) => around(write(element))).join(',')}]`;
    const members = Object.entries(one).map(
      ([name, member]) => `${around(writtenText(name, choice))}:${around(write(member))}`,
    );
    for (let left = members.length; left > 1; left -= 1) {
      members.push(...members.splice(choice(left), 1));
    }
    return `{${members.join(',')}}`;
  };
  return around(write(value));
}

function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}

function writtenText(value: string, choice: (n: number) => number): string {
  const units = Array.from({ length: value.length }, (_, index) => value.charCodeAt(index));
  const escapeAll = choice(8) === 0;
  return escapeAll
    ? `"${units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('')}"`
    : JSON.stringify(value);
}
