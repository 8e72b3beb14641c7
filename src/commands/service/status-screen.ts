/** What an instance says of itself, as one screen of text. Pure. */
import { styleText } from 'node:util';
import type { InstanceStatus } from '../../supervisor/operators/status.js';
import { withoutControls } from '../output/terminal.js';

export interface Screen {
  readonly isColoured: boolean;
  /** Longer lines are cut. */
  readonly columns: number;
}

/** So that all of it fits 24 lines with two fronts; `--json` has all of both. */
const FAILURES_SHOWN = 7;
const PROCESSES_SHOWN = 4;

type Colour = 'plain' | 'green' | 'yellow' | 'red' | 'dim' | 'bold';

/** One line: its text, and the colour of the whole of it. */
type Line = readonly [text: string, colour?: Colour];

/** Lines of at most as many columns as the screen has; `nowMs` is epoch milliseconds. */
export function renderStatus(
  status: InstanceStatus,
  { isColoured, columns }: Screen,
): readonly string[] {
  const lines: readonly Line[] = [
    ...instanceLines(status),
    ...servingLines(status),
    ...storeLines(status),
    ...importLines(status),
    ...archiveLines(status),
    ...processLines(status),
    ...failureLines(status),
  ];
  return lines.map(([text, colour = 'plain']) => {
    const line = cut(withoutControls(text).trimEnd(), columns);
    return isColoured && colour !== 'plain' ? styleText(colour, line) : line;
  });
}

function instanceLines({ instance }: InstanceStatus): readonly Line[] {
  const { version, build, pid, url, local_copies: copies, uptime_seconds: uptime } = instance;
  return [
    [`bura ${version} (build ${build}), process ${pid}, up for ${duration(uptime)}`, 'bold'],
    [field('Listening on', url)],
    [field('Local copies', copies)],
  ];
}

function servingLines({ serving }: InstanceStatus): readonly Line[] {
  if (serving.snapshot_id === null) {
    return [
      [field('Serving', `nothing: ${serving.reason}, since ${moment(serving.since)}`), 'red'],
      [field('', serving.detail)],
    ];
  }
  const { snapshot_id: id, since, generated_at: at, age_seconds: age } = serving;
  const isFuture = (age ?? 0) < 0;
  const ago = isFuture ? `${duration(-(age ?? 0))} in the future` : `${duration(age ?? 0)} ago`;
  return [
    [field('Serving', id), 'green'],
    [field('', `since ${moment(since)}`)],
    [field('', at === null ? '' : `generated ${moment(at)}, ${ago}`), isFuture ? 'red' : 'plain'],
    ...holdsLines(serving.holds),
  ];
}

type Served = Extract<InstanceStatus['serving'], { readonly age_seconds: unknown }>;

/** Rows and the newest hour; an instance of an older build does not say. */
function holdsLines(holds: Served['holds'] | undefined): readonly Line[] {
  if (holds === null || holds === undefined) return [];
  const { rows, rows_before: before, newest_hour: hour, stations_in_newest_hour: count } = holds;
  const beside = before === null ? '' : `, ${number(before)} before`;
  const newest = hour === null ? 'no value' : `${count} stations in the hour ${moment(hour)}`;
  const isFewer = before !== null && rows < before / 2;
  return [[field('', `${number(rows)} rows${beside}; ${newest}`), isFewer ? 'yellow' : 'plain']];
}

function number(count: number): string {
  return count.toLocaleString('en');
}

function storeLines({ store, serving, import: running }: InstanceStatus): readonly Line[] {
  const { address, reachable, since, pointer } = store;
  const answers = reachable === true ? 'answers' : 'cannot be reached';
  const state = reachable === null ? 'not asked yet' : `${answers} since ${moment(since ?? '')}`;
  const lines: readonly Line[] = [
    [field('Store', address)],
    [field('', state), reachable === false ? 'red' : 'plain'],
  ];
  if (pointer.kind !== 'pointer') return [...lines, [field('Pointer', pointer.detail), 'red']];
  const { snapshot_id: id, activated_at: moved } = pointer;
  const isServed = serving.snapshot_id === id;
  const what = isServed ? 'served' : running?.snapshot_id === id ? 'being imported' : 'not served';
  return [
    ...lines,
    [field('Pointer', `${id} (${what})`), isServed ? 'green' : 'yellow'],
    [field('', `moved ${moment(moved)}`)],
  ];
}

function importLines({ import: running }: InstanceStatus): readonly Line[] {
  if (running === null) return [[field('Import', 'none under way')]];
  const { snapshot_id: id, size_bytes: bytes, since } = running;
  return [[field('Import', `${id}, ${megabytes(bytes)}, since ${moment(since)}`), 'yellow']];
}

/** An instance of an older build does not say. */
function archiveLines({ archive }: Partial<Pick<InstanceStatus, 'archive'>>): readonly Line[] {
  if (archive === undefined || archive === null || archive.state === 'none') return [];
  const { kept_files: files, kept_bytes: bytes, left_out_files: leftOut, problem } = archive;
  const left = leftOut === 0 ? '' : `, ${leftOut} left out`;
  return [
    [field('Archive', `${files} files, ${megabytes(bytes)}${left}`)],
    ...(problem === null ? [] : [[field('', problem), 'yellow'] as const]),
  ];
}

function processLines({ processes }: InstanceStatus): readonly Line[] {
  const shown = processes.slice(0, PROCESSES_SHOWN);
  const hidden = processes.slice(PROCESSES_SHOWN);
  const rows = shown.map((one) => [
    one.role,
    String(one.pid),
    megabytes(one.resident_bytes),
    megabytes(one.anonymous_bytes),
  ]);
  if (hidden.length > 0) {
    const sum = (of: (one: (typeof hidden)[number]) => number | null) =>
      megabytes(hidden.reduce((bytes, one) => bytes + (of(one) ?? 0), 0));
    rows.push([
      `${hidden.length} more`,
      '',
      sum((one) => one.resident_bytes),
      sum((one) => one.anonymous_bytes),
    ]);
  }
  const table = (cells: readonly string[]) =>
    [cells[0]?.padEnd(12), ...cells.slice(1).map((cell) => cell.padStart(11))].join('');
  return [
    [field('Processes', table(['', 'pid', 'resident', 'of its own'])), 'dim'],
    ...rows.map((cells): Line => [field('', table(cells))]),
  ];
}

function failureLines({ failures }: InstanceStatus): readonly Line[] {
  if (failures.length === 0) return [[field('Failures', 'none since it started')]];
  const lines = failures.slice(0, FAILURES_SHOWN).map(({ last_at, times, kind, code, message }) => {
    const count = times === 1 ? '' : ` (${times} times)`;
    const named = code === null || code === kind ? kind : `${kind} ${code}`;
    return [`  ${moment(last_at)}  ${named}${count}: ${message}`, 'yellow'] as const;
  });
  const more = failures.length - lines.length;
  const title = more > 0 ? `the last ${lines.length} of ${failures.length} kept` : 'newest first';
  return [[field('Failures', title)], ...lines];
}

/** A line with its name in the first column; the next lines of the same have none. */
function field(name: string, value: string): string {
  return `${name.padEnd(14)}${value}`;
}

/** `2026-02-09 00:00:07 UTC` */
function moment(timestamp: string): string {
  return `${timestamp.slice(0, 19).replace('T', ' ')} UTC`;
}

/** The two largest units: `3 d 4 h`. */
function duration(seconds: number): string {
  const units = [
    [86_400, 'd'],
    [3600, 'h'],
    [60, 'min'],
    [1, 's'],
  ] as const;
  let left = seconds;
  const parts = units.flatMap(([size, name]) => {
    const count = Math.floor(left / size);
    left -= count * size;
    return count === 0 ? [] : [`${count} ${name}`];
  });
  return parts.slice(0, 2).join(' ') || '0 s';
}

function megabytes(bytes: number | null): string {
  return bytes === null ? '?' : `${(bytes / 1e6).toFixed(1)} MB`;
}

function cut(text: string, columns: number): string {
  return text.length <= columns ? text : `${text.slice(0, columns - 1)}…`;
}
