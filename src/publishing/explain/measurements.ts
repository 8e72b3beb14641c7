/** What the columns of measurements are: when, where, what, and how much. */
import { addTo, type Beliefs, type Proposal, type Question } from './proposal.js';
import {
  isDate,
  isHour,
  isNumeric,
  isTime,
  type ColumnProfile,
  type TableProfile,
} from './profile.js';
import {
  COMPONENT_WORD,
  plain,
  pollutantOf,
  STATION_WORD,
  TIME_WORDS,
  VALID_WORD,
  VALUE_WORD,
} from './words.js';

/** Numbers that usually stand for none, and words that do. */
const SENTINEL = /^(?:-99+(?:[.,]0+)?|9999+(?:[.,]0+)?|-|--|\*+|n\/?[ad]|nan|null|s\/d|x)$/i;

interface Context {
  /** What stations are called. */
  readonly codes: ReadonlySet<string>;
  readonly hasComponents: boolean;
  readonly beliefs: Beliefs;
  readonly proposal: Proposal;
  readonly questions: Question[];
}

export function explainMeasurements(all: readonly TableProfile[], context: Context): void {
  const { proposal, questions, beliefs } = context;
  const [table] = all;
  if (table === undefined) {
    questions.push({
      proposal: 'files = { measurements = "*.csv" }',
      why: 'no table with dates was found',
    });
    return;
  }
  const { columns, headerLine, file } = table;
  const titles = columns.map(({ title }) => title);
  if (
    ['station_id', 'component_id', 'date', 'time', 'value'].every((name) => titles.includes(name))
  ) {
    for (const column of columns) beliefs.set(column, column.title);
    return;
  }
  if (headerLine > 1) proposal['header-line'] = String(headerLine);
  const used = new Map<ColumnProfile, string>();
  const use = (column: ColumnProfile | undefined, belief: string): string | undefined => {
    if (column !== undefined) used.set(column, belief);
    return column?.title;
  };
  const find = (test: (column: ColumnProfile) => boolean): ColumnProfile | undefined =>
    columns.find((column) => !used.has(column) && test(column));
  explainTimes({ columns, use, find, context });
  const hours = columns.filter((one) => !used.has(one) && hourOf(one.title) !== undefined);
  const isHours = hours.length >= 40 ? hours.length >= 40 : hours.length >= 23;
  const station = use(
    find(
      ({ title, distinct }) => STATION_WORD.test(plain(title)) && anyIn(distinct, context.codes),
    ) ??
      find(
        ({ distinct }) =>
          distinct.size > 0 && [...distinct].every((cell) => context.codes.has(cell)),
      ) ??
      find(({ title }) => STATION_WORD.test(plain(title))),
    'station',
  );
  if (station !== undefined) proposal['station-column'] = station;
  const component = use(
    find(({ title, distinct }) => COMPONENT_WORD.test(plain(title)) && distinct.size > 0) ??
      find(
        ({ distinct }) =>
          distinct.size > 0 && [...distinct].every((cell) => pollutantOf(cell) !== undefined),
      ),
    'component',
  );
  const byStation = columns.filter((one) => !used.has(one) && context.codes.has(one.title));
  const values = find((one) => VALUE_WORD.test(plain(one.title)) && isNumeric(one));
  if (isHours) explainHours(hours, { use, context, component });
  else if (values !== undefined && (component !== undefined || byStation.length === 0)) {
    proposal['layout'] = 'long';
    proposal['value-column'] = use(values, 'value') ?? '';
    if (component !== undefined) proposal['component-column'] = component;
  } else if (byStation.length > 1) {
    proposal['layout'] = 'stations';
    for (const column of byStation) use(column, 'values of this station');
  } else {
    explainWide(columns, { use, used, context });
  }
  explainValidity(columns, { used, context });
  if (component !== undefined)
    explainComponents(
      columns.find(({ title }) => title === component),
      context,
    );
  explainFiles(all, { station, component, context, isByStation: byStation.length > 1 });
  if (proposal['layout'] === 'wide' || proposal['layout'] === 'stations') {
    const ignored = columns
      .filter((one) => one.title !== '' && !used.has(one))
      .map(({ title }) => title);
    if (ignored.length > 0) proposal['ignore'] = ignored;
  }
  explainMissing(all, context);
  for (const other of all) {
    for (const column of other.columns) {
      const like = [...used].find(([one]) => one.title === column.title);
      if (like) beliefs.set(column, like[1]);
    }
  }
  if (all.length === 1 && !/^measurements\.(?:csv|csv\.gz|xlsx)$/.test(file.name))
    addTo(proposal, 'files', { measurements: file.name });
}

function explainMissing(all: readonly TableProfile[], context: Context): void {
  const { proposal } = context;
  const missing = new Set(
    all.flatMap((one) =>
      one.columns.flatMap((column) =>
        isValue(column.title, proposal, context)
          ? [...column.distinct].filter((cell) => SENTINEL.test(cell))
          : [],
      ),
    ),
  );
  if (missing.size > 0) proposal['missing'] = [...missing];
}

function isValue(title: string, proposal: Proposal, { codes }: Context): boolean {
  return (
    title === proposal['value-column'] ||
    codes.has(title) ||
    hourOf(title) !== undefined ||
    pollutantOf(title) !== undefined
  );
}

interface Finding {
  readonly columns: readonly ColumnProfile[];
  readonly use: (column: ColumnProfile | undefined, belief: string) => string | undefined;
  readonly find: (test: (column: ColumnProfile) => boolean) => ColumnProfile | undefined;
  readonly context: Context;
}

function explainTimes({ columns, use, find, context: { proposal, questions } }: Finding): void {
  const time = find((one) => isTime(one));
  const dates = time === undefined ? find((one) => isDate(one) && !isNumericId(one)) : undefined;
  const parts = (['year', 'month', 'day'] as const).map((name) =>
    find((one) => TIME_WORDS[name].test(plain(one.title)) && isNumeric(one)),
  );
  let cells: readonly string[] = [];
  if (time !== undefined) {
    proposal['time-column'] = use(time, 'date and time') ?? '';
    cells = time.cells;
  } else if (dates !== undefined || parts.every((one) => one !== undefined)) {
    const found = dates === undefined ? parts : [dates];
    proposal['date-column'] = found.map(
      (one, at) => use(one, ['date', 'month', 'day'][at] ?? '') ?? '',
    );
    cells = dates?.cells ?? [];
    const hour =
      find((one) => TIME_WORDS.hour.test(plain(one.title)) && isHour(one)) ??
      find((one) => isHour(one) && one.distinct.size >= 20);
    const isSeparate = columns.filter(({ title }) => hourOf(title) !== undefined).length < 23;
    if (hour !== undefined && isSeparate) {
      proposal['hour-column'] = use(hour, 'hour of the day') ?? '';
      const numbers = hour.cells.map((cell) => Number.parseInt(cell, 10));
      const [least, most] = [Math.min(...numbers), Math.max(...numbers)];
      if (most === 24) proposal['hour-marks'] = 'end';
      else if (least === 0) proposal['hour-marks'] = 'start';
    }
  }
  explainDates(cells, proposal, questions);
  if (cells.some((cell) => /[T ]24[:.]00/.test(cell))) proposal['hour-marks'] = 'end';
  const isUtc =
    cells.length > 0 &&
    cells.every((cell) => /(?:Z|[+-]\d{2}:?\d{2})$/.test(cell) && /[T ]\d/.test(cell));
  if (!isUtc) {
    questions.push({
      proposal: 'time-zone = "Europe/Zagreb"',
      why: 'the zone of the times: an IANA name, UTC, or Etc/GMT-1 for winter time all year',
    });
  }
  if (proposal['hour-marks'] === undefined) {
    questions.push({
      proposal: 'hour-marks = "start"',
      why: 'whether a time is the start or the end of its hour',
    });
  }
}

/** Years and the like. */
function isNumericId({ cells }: ColumnProfile): boolean {
  return cells.every((cell) => /^\d{1,7}$/.test(cell));
}

function explainDates(cells: readonly string[], proposal: Proposal, questions: Question[]): void {
  const parts = cells.flatMap((cell) => {
    const [, first, second] = /^(\d{1,2})[-/](\d{1,2})[-/]\d{2,4}/.exec(cell) ?? [];
    return first === undefined ? [] : [[Number(first), Number(second)] as const];
  });
  if (parts.length === 0) return;
  if (parts.some(([first]) => first > 12)) proposal['dates'] = 'day-first';
  else if (parts.some(([, second]) => second > 12)) proposal['dates'] = 'month-first';
  else
    questions.push({ proposal: 'dates = "day-first"', why: `what is first in ${cells[0] ?? ''}` });
}

/** The hour that a title such as `H07` or `13:00` names. */
function hourOf(title: string): number | undefined {
  const [, digits] = /^\D{0,6}?(\d{1,2})(?::00)?$/.exec(title) ?? [];
  const hour = Number(digits ?? NaN);
  return hour <= 24 && pollutantOf(title) === undefined ? hour : undefined;
}

function explainHours(
  hours: readonly ColumnProfile[],
  {
    use,
    context: { proposal },
    component,
  }: Pick<Finding, 'use' | 'context'> & { readonly component: string | undefined },
): void {
  proposal['layout'] = 'hours';
  if (component !== undefined) proposal['component-column'] = component;
  const prefixOf = ({ title }: ColumnProfile): string => title.replace(/\d{1,2}(?::00)?$/, '');
  const isFlag = (one: ColumnProfile): boolean => !isNumeric(one) && one.cells.length > 0;
  const values = hours.filter((one) => !isFlag(one));
  const flags = hours.filter(isFlag);
  const [value] = values;
  if (value !== undefined) proposal['hour-columns'] = `${prefixOf(value)}%`;
  for (const one of values) use(one, 'values of this hour');
  const numbers = values.map(({ title }) => hourOf(title) ?? 0);
  proposal['hour-marks'] = numbers.includes(24) ? 'end' : 'start';
  const [flag] = flags;
  if (flag === undefined) return;
  const usual = mostOften(flags.flatMap(({ cells }) => cells));
  for (const one of flags) use(one, `whether the value is valid (${usual})`);
  proposal['valid'] = { [`${prefixOf(flag)}%`]: usual };
}

function explainWide(
  columns: readonly ColumnProfile[],
  {
    use,
    used,
    context,
  }: Pick<Finding, 'use' | 'context'> & { readonly used: ReadonlyMap<ColumnProfile, string> },
): void {
  const { proposal, questions, hasComponents } = context;
  proposal['layout'] = 'wide';
  const units: Record<string, string> = {};
  const map: Record<string, string> = {};
  for (const column of columns) {
    const found =
      used.has(column) || !(isNumeric(column) || column.cells.length === 0)
        ? undefined
        : pollutantOf(column.title);
    if (found === undefined || Object.values(map).includes(found.code)) continue;
    map[column.title] = found.code;
    units[found.code] = found.unit;
    use(column, `values of ${found.code} in ${found.unit}`);
  }
  if (Object.keys(map).length === 0) {
    questions.push({
      proposal: 'map = { "COLUMN" = "NO2" }',
      why: 'which columns have values of which component',
    });
    return;
  }
  proposal['map'] = map;
  if (!hasComponents) proposal['component'] = units;
}

function explainComponents(column: ColumnProfile | undefined, context: Context): void {
  if (context.hasComponents || column === undefined) return;
  const units: Record<string, string> = {};
  const map: Record<string, string> = {};
  for (const cell of column.distinct) {
    const found = pollutantOf(cell);
    units[found?.code ?? cell] = found?.unit ?? '?';
    if (found !== undefined && found.code !== cell) map[cell] = found.code;
  }
  context.proposal['component'] = units;
  if (Object.keys(map).length > 0) context.proposal['map'] = map;
  const unknown = Object.entries(units)
    .filter(([, unit]) => unit === '?')
    .map(([code]) => code);
  if (unknown.length === 0) return;
  context.questions.push({
    proposal: `# component: the units of ${unknown.join(', ')}`,
    why: 'in place of the question marks below',
  });
}

/** A column beside a value that has few different words. */
function explainValidity(
  columns: readonly ColumnProfile[],
  {
    used,
    context: { proposal },
  }: { readonly used: Map<ColumnProfile, string>; readonly context: Context },
): void {
  if (proposal['valid'] !== undefined) return;
  const valid: Record<string, string> = {};
  for (const column of columns) {
    if (used.has(column) || column.distinct.size === 0 || column.distinct.size > 8) continue;
    const isShort = [...column.distinct].every((cell) => cell.length <= 12 && !/[.,]\d/.test(cell));
    if (!isShort || !VALID_WORD.test(plain(column.title))) continue;
    const usual = mostOften(column.cells);
    valid[column.title] = usual;
    used.set(column, `whether the value is valid (${usual})`);
  }
  if (Object.keys(valid).length > 0) proposal['valid'] = valid;
}

function mostOften(cells: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const cell of cells) counts.set(cell, (counts.get(cell) ?? 0) + 1);
  return [...counts].reduce<readonly [string, number]>((a, b) => (b[1] > a[1] ? b : a), ['', 0])[0];
}

/** Several files: what their names say. */
function explainFiles(
  all: readonly TableProfile[],
  {
    station,
    component,
    isByStation,
    context,
  }: {
    readonly station: string | undefined;
    readonly component: string | undefined;
    readonly isByStation: boolean;
    readonly context: Context;
  },
): void {
  const { proposal, codes } = context;
  const names = all.map(({ file }) => file.name);
  const needsStation = station === undefined && !isByStation && codes.size > 1;
  const needsComponent =
    component === undefined &&
    (proposal['layout'] === 'stations' ||
      proposal['layout'] === 'long' ||
      proposal['layout'] === 'hours');
  const patterns = new Set(
    names.map((name) => {
      const code = needsStation
        ? [...codes].filter((one) => name.includes(one)).sort((a, b) => b.length - a.length)[0]
        : undefined;
      const pattern = code === undefined ? name : name.replace(code, '{station}');
      const part = needsComponent
        ? pattern.split(/[_\-.]/).find((one) => pollutantOf(one) !== undefined)
        : undefined;
      return part === undefined ? pattern : pattern.replace(part, '{component}');
    }),
  );
  const [pattern = ''] = patterns;
  const common = patterns.size === 1 ? pattern : commonPattern([...patterns]);
  // Next year's files are to be read too.
  const lasting = common.replace(/(?:19|20)\d{2}(?:[-_]?\d{2}){0,2}/, '*').replace(/\*+/g, '*');
  if (names.length > 1 || common.includes('{')) addTo(proposal, 'files', { measurements: lasting });
  if (needsComponent && !context.hasComponents) {
    const parts = names.flatMap((name) =>
      name.split(/[_\-.]/).flatMap((one) => (pollutantOf(one) === undefined ? [] : [one])),
    );
    proposal['component'] = Object.fromEntries(
      parts.map((one) => [pollutantOf(one)?.code ?? one, pollutantOf(one)?.unit ?? '?']),
    );
    const map = parts.flatMap((one) =>
      pollutantOf(one)?.code === one ? [] : [[one, pollutantOf(one)?.code ?? one]],
    );
    if (map.length > 0) proposal['map'] = Object.fromEntries(map) as Record<string, string>;
  }
}

/** What all begin and end with, and a star between. */
function commonPattern(patterns: readonly string[]): string {
  const [first = ''] = patterns;
  const length = (same: (at: number) => boolean): number => {
    let at = 0;
    while (at < first.length && same(at)) at += 1;
    return at;
  };
  const before = length((at) => patterns.every((one) => one[at] === first[at]));
  const after = length((at) =>
    patterns.every((one) => one.at(-1 - at) === first.at(-1 - at) && at + before < one.length),
  );
  return `${first.slice(0, before)}*${first.slice(first.length - after)}`;
}

function anyIn(cells: ReadonlySet<string>, codes: ReadonlySet<string>): boolean {
  return [...cells].some((cell) => codes.has(cell));
}
