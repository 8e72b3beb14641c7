/** The flags of `bura build` that say what a wide table is (`docs/snapshot-format.md, "Wide tables"`). */
import { Option, type Command } from 'commander';
import {
  AMBIGUOUS_HOURS,
  HOUR_MARKS,
  type WideLayout,
} from '../../publishing/tables/wide/wide-layout.js';
import { text, type Flags } from '../command.js';
import { UsageError } from '../command.js';

const GROUP = 'Wide tables (--layout wide):';

/** Also the flag of a setting, which all commands have. */
const TIME_ZONE = '--time-zone <zone>';

/** What a `--delimiter` stands for. */
const DELIMITERS: Readonly<Record<string, string>> = { comma: ',', semicolon: ';', tab: '\t' };

export function addWideOptions(command: Command): void {
  command.addOption(
    new Option(
      '--layout <layout>',
      'of measurements.csv: a row a value, or a row an hour and station',
    )
      .choices(['long', 'wide'])
      .default('long'),
  );
  for (const option of wideOptions()) command.addOption(option.helpGroup(GROUP));
}

/** The flags that mean something with `--layout wide` only. */
function wideOptions(): readonly Option[] {
  return [
    new Option('--time-column <column>', 'column of the time'),
    new Option('--station-column <column>', 'column of the id, code or name of the station'),
    new Option(
      TIME_ZONE,
      'of times that name no offset, such as Europe/Belgrade; never taken from TIME_ZONE',
    ),
    new Option('--hour-marks <end>', 'whether a time is the start or the end of its hour').choices(
      HOUR_MARKS,
    ),
    new Option(
      '--ambiguous-hours <which>',
      'where clocks were put back and only one hour of two is there; default: refuse',
    ).choices(AMBIGUOUS_HOURS),
    repeatable('--map <column=id>', 'column with values of a component; may be repeated'),
    repeatable('--ignore <column>', 'column to leave out; may be repeated'),
    repeatable('--missing <value>', 'what stands for no value, such as -999; may be repeated'),
    new Option('--delimiter <name>', 'what is between cells; default: comma').choices(
      Object.keys(DELIMITERS),
    ),
    new Option('--decimal-comma', 'numbers are written as 12,5'),
  ];
}

/** A flag whose values are collected. */
function repeatable(flags: string, description: string): Option {
  const values: string[] = [];
  return new Option(flags, description).argParser((value) => {
    values.push(value);
    return values;
  });
}

/** The layout that the flags ask for. @throws {UsageError} for flags that do not go together. */
export function wideLayout(flags: Flags): { readonly wide?: WideLayout } {
  if (flags['layout'] !== 'wide') {
    for (const option of wideOptions()) {
      if (option.flags === TIME_ZONE || flags[option.attributeName()] === undefined) continue;
      throw new UsageError(`${String(option.long)} needs --layout wide`);
    }
    return {};
  }
  const components = mapped(texts(flags, 'map'));
  const ignoredColumns = texts(flags, 'ignore');
  const { timeColumn, stationColumn } = {
    ...text(flags, 'timeColumn'),
    ...text(flags, 'stationColumn'),
  };
  const hourMarks = HOUR_MARKS.find((known) => known === flags['hourMarks']);
  if (timeColumn === undefined || hourMarks === undefined || components.size === 0) {
    throw new UsageError('--layout wide needs --time-column, --hour-marks and at least one --map');
  }
  const columns = [
    timeColumn,
    ...(stationColumn === undefined ? [] : [stationColumn]),
    ...components.keys(),
    ...ignoredColumns,
  ];
  const twice = columns.find((column, index) => columns.indexOf(column) < index);
  if (twice !== undefined) {
    throw new UsageError(`the flags say two things of the column ${JSON.stringify(twice)}`);
  }
  const ambiguousHours = AMBIGUOUS_HOURS.find((known) => known === flags['ambiguousHours']);
  return {
    wide: {
      timeColumn,
      ...(stationColumn !== undefined && { stationColumn }),
      ...text(flags, 'timeZone'),
      hourMarks,
      ...(ambiguousHours && { ambiguousHours }),
      components,
      ignoredColumns,
      missing: texts(flags, 'missing'),
      delimiter: DELIMITERS[String(flags['delimiter'])] ?? ',',
      decimalComma: flags['decimalComma'] === true,
    },
  };
}

function texts(flags: Flags, name: string): readonly string[] {
  const values = flags[name];
  return Array.isArray(values) ? values.map(String) : [];
}

/** Component ids by column. */
function mapped(maps: readonly string[]): ReadonlyMap<string, number> {
  const components = new Map<string, number>();
  for (const map of maps) {
    const [, column = '', id = ''] = /^(.+)=(\d{1,15})$/.exec(map) ?? [];
    if (column === '') {
      throw new UsageError(
        `--map is ${JSON.stringify(map)}: expected a column, = and a component id`,
      );
    }
    const name = column.trim();
    if (components.has(name) || [...components.values()].includes(Number(id))) {
      throw new UsageError(`--map ${map}: the column or the component is mapped already`);
    }
    components.set(name, Number(id));
  }
  return components;
}
