/** The expected answer of `GET /api/v1/changes` for two lists of observations. */

type Plain = Readonly<Record<string, unknown>>;

/** Records (of `ExpectedHvd`) of the older and the newer snapshot. */
export interface Compared {
  readonly before: readonly Plain[];
  readonly after: readonly Plain[];
  /** `retention_from_utc` of the newer snapshot. */
  readonly oldest: string;
}

/** Values of the records by station, parameter and hour. */
export function byKey(records: readonly Plain[]): Map<string, unknown> {
  return new Map(records.map((record) => [keyOf(record), record['value']]));
}

/** The expected lines of the answer, in order, without the first line (`meta`). */
export function expectedChanges({ before, after, oldest }: Compared): readonly Plain[] {
  const old = byKey(before.filter((record) => String(record['time_start_utc']) >= oldest));
  const young = byKey(after);
  const lines: Plain[] = [];
  for (const key of new Set([...old.keys(), ...young.keys()])) {
    const [value, previous] = [young.get(key), old.get(key)];
    if (value === previous) continue;
    const op = previous === undefined ? 'added' : value === undefined ? 'withdrawn' : 'changed';
    const [station_id, parameter_code, time_start_utc] = JSON.parse(key) as readonly string[];
    const values = { value: value ?? null, previous_value: previous ?? null };
    lines.push({ op, station_id, parameter_code, time_start_utc, ...values });
  }
  return lines.sort(inOrder);
}

/** A client's values by key, after applying the lines. @throws {Error} for a line that does not fit. */
export function applied(records: readonly Plain[], oldest: string, lines: readonly Plain[]) {
  const rows = byKey(records.filter((record) => String(record['time_start_utc']) >= oldest));
  for (const line of lines) {
    const key = keyOf(line);
    const had = rows.get(key);
    const hadNone = !rows.has(key);
    if (hadNone !== (line['op'] === 'added')) throw new Error(`wrong op: ${JSON.stringify(line)}`);
    if ((had ?? null) !== line['previous_value']) throw new Error(JSON.stringify({ had, line }));
    if (line['op'] === 'withdrawn') rows.delete(key);
    else rows.set(key, line['value']);
  }
  return rows;
}

function keyOf({ station_id, parameter_code, time_start_utc }: Plain): string {
  return JSON.stringify([station_id, parameter_code, time_start_utc]);
}

function inOrder(a: Plain, b: Plain): number {
  return (
    Number(a['station_id']) - Number(b['station_id']) ||
    compare(String(a['parameter_code']), String(b['parameter_code'])) ||
    compare(String(a['time_start_utc']), String(b['time_start_utc']))
  );
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
