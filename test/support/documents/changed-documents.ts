/** Random pairs of snapshots of one network: rows added, changed and withdrawn, stations hidden, hours too old. */
import fc from 'fast-check';
import { objectsOf, type PlainDocument } from './documents.js';
import { anyDocument } from './random-documents.js';

const HOUR_MS = 3_600_000;

const FATES = ['same', 'same', 'same', 'gone', 'null', 'other'] as const;

/** Changes to a document; drawn lists are used cyclically. */
interface Fate {
  /** Hours between the two times of generation; negative after a rollback. */
  readonly hours: number;
  readonly rows: readonly (typeof FATES)[number][];
  readonly newRows: readonly { readonly of: number; readonly hours: number }[];
  readonly stations: readonly ('same' | 'hidden' | 'shown' | 'idle')[];
  readonly components: readonly ('same' | 'hidden' | 'renamed')[];
}

const fate: fc.Arbitrary<Fate> = fc.record({
  hours: fc.oneof(
    fc.constant(1),
    fc.integer({ min: -40, max: 40 }),
    fc.integer({ min: -800, max: 800 }),
  ),
  rows: fc.array(fc.constantFrom(...FATES), { minLength: 3, maxLength: 40 }),
  newRows: fc.array(fc.record({ of: fc.nat(200), hours: fc.integer({ min: -30, max: 30 }) }), {
    maxLength: 20,
  }),
  stations: fc.array(fc.constantFrom('same', 'same', 'same', 'hidden', 'shown', 'idle'), {
    minLength: 1,
    maxLength: 5,
  }),
  components: fc.array(fc.constantFrom('same', 'same', 'same', 'hidden', 'renamed'), {
    minLength: 1,
    maxLength: 4,
  }),
});

/** Two documents, with ids of their own: `old` and `new`. */
export function anyPair(): fc.Arbitrary<readonly [PlainDocument, PlainDocument]> {
  return fc.tuple(anyDocument(), fate).map(([document, drawn]) => {
    const old = { ...document, snapshot_id: 'old' };
    return [old, changed(document, drawn)];
  });
}

/** Documents that are each made from the one before, with ids of their own. */
export function anyHistory(length: number): fc.Arbitrary<readonly PlainDocument[]> {
  const fates = fc.array(fate, { minLength: length - 1, maxLength: length - 1 });
  return fc.tuple(anyDocument(), fates).map(([document, drawn]) => {
    const documents: PlainDocument[] = [document];
    for (const one of drawn) documents.push(changed(documents.at(-1) ?? document, one));
    return documents.map((each, at) => ({ ...each, snapshot_id: `snimak-${at}` }));
  });
}

function changed(document: PlainDocument, drawn: Fate): PlainDocument {
  const generatedAt = Date.parse(String(document['generated_at'])) + drawn.hours * HOUR_MS;
  const stations = objectsOf(document, 'stations').map((station, at) => {
    const what = drawn.stations[at % drawn.stations.length];
    if (what === 'hidden' || what === 'shown') return { ...station, public: what === 'shown' };
    return what === 'idle' ? { ...station, active: false } : station;
  });
  const components = objectsOf(document, 'components').map((component, at) => {
    const what = drawn.components[at % drawn.components.length];
    if (what === 'hidden') return { ...component, public: false };
    if (what !== 'renamed') return component;
    return { ...component, short_name: `N${String(component['component_id'])}` };
  });
  const measurements = rowsOf(document, drawn);
  const counts = { ...(document['counts'] as object), measurement_rows: measurements.length };
  return {
    ...document,
    snapshot_id: 'new',
    generated_at: new Date(generatedAt).toISOString(),
    stations,
    components,
    measurements,
    counts,
  };
}

function rowsOf(document: PlainDocument, drawn: Fate): readonly PlainDocument[] {
  const old = objectsOf(document, 'measurements');
  const rows = new Map<string, PlainDocument>();
  for (const [at, row] of old.entries()) {
    const what = drawn.rows[at % drawn.rows.length];
    if (what === 'gone') continue;
    const value = what === 'null' ? null : what === 'other' ? at + 0.125 : row['value'];
    rows.set(keyOf(row), { ...row, value });
  }
  for (const [at, { of, hours }] of drawn.newRows.entries()) {
    const like = old[of % old.length] ?? {};
    const start = Date.parse(`${String(like['date'])}T${String(like['time'])}Z`) + hours * HOUR_MS;
    const when = new Date(start).toISOString();
    const row = { ...like, date: when.slice(0, 10), time: when.slice(11, 16), value: at };
    if (!rows.has(keyOf(row))) rows.set(keyOf(row), row);
  }
  return [...rows.values()];
}

function keyOf({ station_id, component_id, date, time }: PlainDocument): string {
  return [station_id, component_id, date, time].join();
}
