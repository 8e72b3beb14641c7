/** The flags of `bura build` that say what tables are like (`docs/tables.md`, "Other tables"); `bura.toml` has the same. */
import { Option, type Command } from 'commander';
import {
  AMBIGUOUS_HOURS,
  DATE_ORDERS,
  HOUR_MARKS,
  SHAPES,
} from '../../publishing/tables/layout/table-layout.js';
import { DELIMITERS, ENCODINGS } from '../../publishing/tables/table-options.js';
import { repeatable } from '../command.js';

const TABLES_GROUP = 'Tables as agencies have them (also in bura.toml):';
const GROUP = 'Measurements with columns of their own (also in bura.toml):';

/** Also the flag of a setting, which all commands have. */
export const TIME_ZONE = '--time-zone <zone>';

export function addTableFlags(command: Command): void {
  for (const option of tableFlags()) command.addOption(option.helpGroup(TABLES_GROUP));
  command.addOption(
    new Option('--layout <layout>', LAYOUT_WORDS).choices(SHAPES).default('long').helpGroup(GROUP),
  );
  for (const option of layoutFlags()) command.addOption(option.helpGroup(GROUP));
}

const LAYOUT_WORDS =
  'a row of measurements is a value (long), or those of an hour by component (wide) or by station (stations), or those of a day (hours)';

function tableFlags(): readonly Option[] {
  return [
    repeatable(
      '--files <table=pattern>',
      'files of a table, such as measurements=*.csv or {station}_{component}.csv; default: TABLE.csv',
    ),
    repeatable(
      '--column <table.member=column>',
      'column of a member, such as stations.latitude=Lat',
    ),
    new Option('--encoding <encoding>', 'of all tables; default: found').choices(ENCODINGS),
    new Option(
      '--delimiter <name>',
      'what is between cells, of tables that have it; default: found',
    ).choices(Object.keys(DELIMITERS)),
    new Option('--decimal-comma', 'numbers are written as 12,5, but between commas'),
    repeatable('--missing <value>', 'what stands for no value, such as -999; may be repeated'),
    new Option('--coordinates <epsg>', 'what latitude (northing) and longitude (easting) are in'),
    repeatable('--component <code=unit>', 'a component, if there is no table of components'),
    repeatable(
      '--station-type <word=type>',
      "what a table's own word for the type of a station means",
    ),
    new Option('--header-line <n>', 'line of the header of measurements; default: 1'),
    new Option('--first-line <n>', 'line of the first row of measurements'),
  ];
}

export function layoutFlags(): readonly Option[] {
  return [
    new Option('--time-column <column>', 'column of date and time'),
    repeatable('--date-column <column>', 'column of the date; three times: year, month, day'),
    new Option('--hour-column <column>', 'column of the hour, beside that of the date'),
    new Option('--hour-columns <pattern>', 'columns of hours with --layout hours, such as H%'),
    new Option('--dates <order>', 'what 05/10/2026 begins with').choices(DATE_ORDERS),
    new Option('--station-column <column>', 'column of the id, code or name of the station'),
    new Option('--component-column <column>', 'column of the id or code of the component'),
    new Option('--value-column <column>', 'column of the value'),
    repeatable('--valid <column=values>', 'what a value is valid with, such as V%=V or State=V,O'),
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
    repeatable(
      '--map <column=component>',
      'column, or name in the column of components, of a component by id or code; may be repeated',
    ),
    repeatable('--ignore <column>', 'column or component to leave out; may be repeated'),
  ];
}
