/** Units of measurement, whose notation varies: equality, directions, sums. */

interface InUnit {
  readonly unit: string;
}

const UNITS: ReadonlyMap<string, string> = new Map([
  ['Cel', '°C'],
  ['degC', '°C'],
  ['percent', '%'],
]);

/** Degrees of arc as networks write them: `deg`, `°`, `degrees`, `deg true` (WMO), `degree_true`, `deg.`, `°T`. */
const DIRECTION = /^(?:[°º]|deg(?:ree)?s?\.?)(?:[ _.]?\(?(?:true(?: north)?|T|N)\)?)?$/i;

const SUPERSCRIPTS: Readonly<Record<string, string>> = { '1': '¹', '2': '²', '3': '³' };
const DIGITS: Readonly<Record<string, string>> = { '⁻': '-', '¹': '1', '²': '2', '³': '3' };

/** The notation for people, such as `µg/m³` for `ug/m3`, `ug.m-3` and `µg m⁻³`; unknown units stay. */
export function prettyUnit(unit: string): string {
  const name = UNITS.get(unit);
  if (name !== undefined) return name;
  if (DIRECTION.test(unit)) return '°';
  return unit
    .replace(/[⁻¹²³]/g, (sign) => DIGITS[sign] ?? sign)
    .replace(/^[uμ](?=g\b)/, 'µ')
    .replace(/(?<=[A-Za-z])[. ·*]([a-zA-Z]+)\^?-([123])$/, (_, base: string, power: string) =>
      power === '1' ? `/${base}` : `/${base}${power}`,
    )
    .replace(/(?<=\/ ?[a-zA-Z]+)\^?([23])$/, (_, power: string) => SUPERSCRIPTS[power] ?? power);
}

export function isSameUnit(one: string, other: string): boolean {
  return prettyUnit(one) === prettyUnit(other);
}

/** Whether values are directions, for which lines, order and extremes have no meaning. */
export function isDirection({ unit }: InUnit): boolean {
  return prettyUnit(unit) === '°';
}

/** Whether values are amounts that add up, such as rain and hours of sunshine. */
export function isSummed({ unit }: InUnit): boolean {
  return /^(?:mm|l\/m²|h)$/.test(prettyUnit(unit));
}

/** Whether values are concentrations of gases or particles, which have running means of eight hours. */
export function isConcentration({ unit }: InUnit): boolean {
  return /^(?:[mµn]?g\/m³|pp[mbt]v?|[mµn]mol\/mol)$/.test(prettyUnit(unit));
}
