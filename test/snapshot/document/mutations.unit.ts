/** One mistake in any valid document is refused, and the refusal names the place. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import t from 'tap';
import { DocumentError } from '../../../src/snapshot/document/problems.js';
import { readSnapshot } from '../../../src/snapshot/document/read.js';
import type { JsonValue } from '../../../src/snapshot/domain/model.js';
import {
  validDocument,
  wholeDocument,
  writtenAnyHow,
} from '../../support/documents/arbitrary-documents.js';
import { inChunks } from '../../support/documents/documents.js';
import { scaled } from '../../support/faults/chance.js';

type Plain = Record<string, JsonValue>;

/** A document that may be changed. */
interface Draft {
  readonly top: Plain;
  list(name: string): Plain[];
  /** Any number from 0 to n - 1. */
  readonly choice: (n: number) => number;
}

/** Makes one mistake; the path that must be named, or nothing where the document has no place for it. */
type Mutation = (draft: Draft) => string | undefined;

const LISTS = ['organizations', 'networks', 'components', 'stations', 'measurements'];
const IDS: Readonly<Record<string, string>> = {
  organizations: 'organization_id',
  networks: 'network_id',
  components: 'component_id',
  stations: 'station_id',
};

/** Puts a value into one element of a list. */
function put(
  list: string,
  member: string,
  value: (choice: Draft['choice']) => JsonValue,
): Mutation {
  return (draft) => {
    const elements = draft.list(list);
    const index = draft.choice(elements.length);
    const element = elements[index];
    if (element === undefined) return undefined;
    element[member] = value(draft.choice);
    return `${list}[${index}].${member}`;
  };
}

function oneOf<T>(...values: readonly T[]): (choice: Draft['choice']) => T {
  return (choice) => {
    const value = values[choice(values.length)];
    assert(value !== undefined);
    return value;
  };
}

function leaveOut(list: string, ...members: readonly string[]): Mutation {
  return (draft) => {
    const elements = draft.list(list);
    const index = draft.choice(elements.length);
    const member = oneOf(...members)(draft.choice);
    const element = elements[index];
    if (element === undefined) return undefined;
    elements[index] = Object.fromEntries(
      Object.entries(element).filter(([name]) => name !== member),
    );
    return `${list}[${index}].${member}`;
  };
}

function top(member: string, value: (choice: Draft['choice']) => JsonValue): Mutation {
  return (draft) => {
    draft.top[member] = value(draft.choice);
    return member;
  };
}

/** Copies an id, or what else must not repeat, from one element to a later one. */
function repeat(list: string, member: string, also: Plain = {}): Mutation {
  return (draft) => {
    const elements = draft.list(list);
    const index = elements.length - 1;
    const [first, last] = [elements[0], elements[index]];
    if (first === undefined || last === undefined || index === 0) return undefined;
    Object.assign(first, also);
    Object.assign(last, also);
    last[member] = first[member] ?? null;
    return `${list}[${index}].${member}`;
  };
}

const notAText = oneOf<JsonValue>(1, true, ['a'], { a: 'b' }, null);
const notAnId = oneOf<JsonValue>(-1, 1.5, 2 ** 53, '1', true, null, [1], {});
const notADate = oneOf<JsonValue>(
  '2026-02-30',
  '2025-02-29',
  '1900-02-29',
  '2026-13-01',
  '2026-00-10',
  '2026-01-00',
  '0000-01-01',
  '2026-1-01',
  '2026-01-01T',
  '20260101',
  '２０26-01-01',
  '',
  5,
);

/** A mistake that is one from schema version 1.3.0 on, where nothing else is said of times. */
function sinceNames(mutation: Mutation): Mutation {
  return (draft) => {
    draft.top['schema_version'] = '1.3.0';
    for (const row of draft.list('measurements')) {
      Reflect.deleteProperty(row, 'published_at_utc');
      Reflect.deleteProperty(row, 'updated_at_utc');
    }
    return mutation(draft);
  };
}

const notAnInstant = oneOf<JsonValue>(
  '2026-09-10',
  '2026-09-10T00:00:00',
  '2026-09-10T00:00:00+02:00',
  '2026-02-29T00:00:00Z',
  '2026-09-10T24:00:00Z',
  '2026-09-10T00:60:00Z',
  '2026-09-10T00:00:60Z',
  '2026-09-10T00:00:0Z ',
  '',
  1_788_998_400_000,
  true,
  ['2026-09-10T00:00:00Z'],
  { at: { utc: 0 } },
);

const MUTATIONS: readonly Mutation[] = [
  (draft) => {
    const names = Object.keys(draft.top);
    const name = oneOf(...names)(draft.choice);
    // The drafts of this file are plain objects, without tricks.
    Reflect.deleteProperty(draft.top, name);
    return name;
  },
  ...LISTS.map((list) => top(list, oneOf<JsonValue>(null, {}, 'x', 3))),
  ...LISTS.map((list): Mutation => (draft) => {
    const elements = draft.list(list);
    if (elements.length === 0) return undefined;
    const index = draft.choice(elements.length);
    (draft.top[list] as JsonValue[])[index] = oneOf<JsonValue>(null, 1, 'x', [])(draft.choice);
    return `${list}[${index}]`;
  }),
  top('schema_version', notAText),
  top('generated_at', notAText),
  top(
    'generated_at',
    oneOf(
      '2026-09-10',
      '2026-09-10T00:00:00',
      '2026-09-10T00:00:00+02:00',
      '2026-09-31T00:00:00Z',
      '2026-09-10T24:00:00Z',
      '2026-09-10T00:60:00Z',
      '2026-09-10 00:00:00Z',
      'yesterday',
    ),
  ),
  top('snapshot_id', oneOf<JsonValue>('', '.', '..', 'a/b', 'a b', 'č', 'a'.repeat(129), 7)),
  top('supported_windows', oneOf<JsonValue>('1h', null, { 0: '1h' })),
  top('counts', oneOf<JsonValue>([], null, 5)),
  (draft) => {
    draft.top['supported_windows'] = ['1h', oneOf('1H', '2d', '1h', ' 1d')(draft.choice)];
    return 'supported_windows[1]';
  },
  (draft) => {
    const counts = draft.top['counts'] as Plain;
    const name = oneOf(...Object.keys(counts))(draft.choice);
    counts[name] = oneOf<JsonValue>(Number(counts[name]) + 1, -1, '1', null)(draft.choice);
    return `counts.${name}`;
  },
  ...Object.entries(IDS).flatMap(([list, name]) => [
    put(list, name, notAnId),
    leaveOut(list, name),
    repeat(list, name),
  ]),
  leaveOut('organizations', 'name', 'short_name'),
  leaveOut('networks', 'network_code', 'name', 'short_name'),
  leaveOut('components', 'short_name', 'unit'),
  leaveOut('stations', 'station_name', 'station_code', 'organization_id', 'network_id'),
  leaveOut('measurements', 'station_id', 'component_id', 'date', 'time', 'value'),
  put('organizations', 'short_name', notAText),
  put('networks', 'network_code', notAText),
  put('components', 'unit', notAText),
  put('components', 'short_name', oneOf<JsonValue>('', ' ', 5)),
  put('components', 'public', oneOf<JsonValue>(1, 'true', [])),
  repeat('components', 'short_name', { public: true }),
  sinceNames(put('components', 'parameter_name', oneOf<JsonValue>(5, true, ['SO2'], { en: 'x' }))),
  put('stations', 'station_code', notAText),
  put('stations', 'station_type', oneOf<JsonValue>('suburban', 'Urban', '', 3)),
  put('stations', 'active', oneOf<JsonValue>(0, 'false', {})),
  put('stations', 'elevation_m', oneOf<JsonValue>('78', true, [])),
  put('stations', 'start_date', notADate),
  put('stations', 'end_date', notADate),
  put('stations', 'notes', oneOf<JsonValue>(5, [], false)),
  put('stations', 'organization_id', () => 4_503_599_627_370_497),
  put('stations', 'network_id', () => 4_503_599_627_370_497),
  put('stations', 'latitude', oneOf<JsonValue>(90.000001, -91, '45', 1e300)),
  put('stations', 'longitude', oneOf<JsonValue>(180.5, -181, [20])),
  put('stations', 'component_ids', oneOf<JsonValue>(5, '5', {})),
  (draft) => {
    const stations = draft.list('stations');
    const index = draft.choice(stations.length);
    const station = stations[index];
    if (station === undefined) return undefined;
    const [there, missing] = oneOf(
      ['latitude', 'longitude'] as const,
      ['longitude', 'latitude'] as const,
    )(draft.choice);
    Object.assign(station, { [there]: 45, [missing]: null });
    return `stations[${index}].${missing}`;
  },
  (draft) => {
    const station = draft.list('stations')[0];
    if (station === undefined) return undefined;
    station['component_ids'] = [
      oneOf<JsonValue>(4_503_599_627_370_497, '1', -1, null)(draft.choice),
    ];
    return 'stations[0].component_ids[0]';
  },
  put('measurements', 'station_id', notAnId),
  put('measurements', 'component_id', notAnId),
  put('measurements', 'station_id', () => 4_503_599_627_370_497),
  put('measurements', 'component_id', () => 4_503_599_627_370_497),
  put('measurements', 'date', notADate),
  put(
    'measurements',
    'time',
    oneOf<JsonValue>('24:00', '7:00', '07:30', '07:00:00', '0700', 7, ''),
  ),
  put('measurements', 'value', oneOf<JsonValue>('1', true, [1], { value: 1 })),
  sinceNames(put('measurements', 'published_at_utc', notAnInstant)),
  sinceNames(put('measurements', 'updated_at_utc', notAnInstant)),
  sinceNames((draft) => {
    put('measurements', 'updated_at_utc', () => '2026-09-10T00:00:00Z')(draft);
    const index = draft.list('measurements').findIndex((row) => 'updated_at_utc' in row);
    return index < 0 ? undefined : `measurements[${index}].published_at_utc`;
  }),
  sinceNames((draft) => {
    put('measurements', 'published_at_utc', () => '2026-09-10T00:00:00.001Z')(draft);
    const rows = draft.list('measurements');
    const index = rows.findIndex((row) => 'published_at_utc' in row);
    Object.assign(rows[index] ?? {}, { updated_at_utc: '2026-09-10T00:00:00Z' });
    return index < 0 ? undefined : `measurements[${index}].updated_at_utc`;
  }),
  (draft) => {
    const rows = draft.list('measurements');
    const [first] = rows;
    if (first === undefined) return undefined;
    rows.push({ ...first, value: 1 });
    (draft.top['counts'] as Plain)['measurement_rows'] = rows.length;
    return `measurements[${rows.length - 1}]`;
  },
];

function draftOf(top: Plain, choice: Draft['choice']): Draft {
  return {
    top,
    choice,
    list(name) {
      const list = top[name];
      assert(Array.isArray(list));
      return list as Plain[];
    },
  };
}

for (const [number, mutation] of MUTATIONS.entries()) {
  await t.test(`names the place of mistake ${number + 1}`, async (t) => {
    const named = new Set<string>();
    await fc.assert(
      fc.asyncProperty(validDocument, fc.infiniteStream(fc.nat()), async (document, choices) => {
        const choice = (n: number): number => Number(choices.next().value) % Math.max(n, 1);
        const top = JSON.parse(JSON.stringify(wholeDocument(document))) as Plain;
        const path = mutation(draftOf(top, choice));
        if (path === undefined) return;
        const bytes = Buffer.from(writtenAnyHow(top, choice));
        const error: unknown = await readSnapshot(inChunks(bytes, 1000)).catch(
          (reason: unknown) => reason,
        );
        assert(error instanceof DocumentError, `accepted in spite of ${path}`);
        const paths = error.problems.map((problem) => problem.path);
        assert(paths.includes(path), `${path} is not among ${error.message}`);
        named.add(path.replace(/\d+/g, 'N'));
      }),
      { numRuns: scaled(5) },
    );
    t.pass([...named].sort().join(', '));
  });
}
