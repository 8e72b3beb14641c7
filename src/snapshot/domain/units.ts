/** Units of measurement, which operators write in several ways: which texts are one unit, and what it is a unit of. */

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

/** The notation that people read; a unit that is not known stays as it is. Returns `µg/m³` for `ug/m3`, `ug.m-3` and `µg m⁻³`. */
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

/** Whether both are notations of one unit. */
export function isSameUnit(one: string, other: string): boolean {
  return prettyUnit(one) === prettyUnit(other);
}

/** Whether values are directions: degrees on a circle, so that neither a line nor an order nor a lowest value says anything. */
export function isDirection({ unit }: InUnit): boolean {
  return prettyUnit(unit) === '°';
}

/** Whether its values are amounts of their hours, which add up: rain, and hours of sunshine. */
export function isSummed({ unit }: InUnit): boolean {
  return /^(?:mm|l\/m²|h)$/.test(prettyUnit(unit));
}
