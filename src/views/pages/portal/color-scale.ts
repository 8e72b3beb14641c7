/**
 * Divides values into six classes from low to high, each with a colour of `styles/site/tokens.css`.
 *
 * Lightness changes in even steps, so that classes differ without colour vision and in print, and high values stand
 * out. Steps of known components are fixed round numbers, not legal limits: a colour means the same on every day and in
 * every network. Other components get round steps within the range of the longest window, for map, charts and calendar
 * alike.
 */
import { html, type Markup } from '../../html.js';
import { prettyUnit } from '../../../snapshot/domain/units.js';
import { clampForScale, isFlat } from './chart/hourly.js';
import type { Formatters } from './formatters.js';
import { componentKey } from './notation.js';
import type { Portal, PortalComponent } from './portal-model.js';

const CLASSES = 6;

/** Limits between classes, ascending; an equal value belongs to the class above. */
type Steps = readonly number[];

export interface ColorScale {
  readonly steps: Steps;
  readonly isWarm: boolean;
}

const FIXED: ReadonlyMap<string, Steps> = new Map([
  ['PM10 µg/m³', [10, 20, 40, 60, 100]],
  ['PM2.5 µg/m³', [5, 10, 20, 35, 60]],
  ['PM1 µg/m³', [5, 10, 20, 35, 60]],
  ['NO2 µg/m³', [10, 25, 50, 100, 150]],
  ['NO µg/m³', [10, 25, 50, 100, 150]],
  ['NOX µg/m³', [20, 50, 100, 200, 300]],
  ['O3 µg/m³', [40, 80, 120, 160, 200]],
  ['SO2 µg/m³', [10, 20, 50, 100, 200]],
  ['CO mg/m³', [0.3, 0.6, 1, 2, 5]],
  ['C6H6 µg/m³', [0.5, 1, 2, 5, 10]],
  ['TEMP °C', [-5, 5, 15, 25, 35]],
  ['RH %', [20, 40, 60, 75, 90]],
]);

/** The fixed steps of a component, else round steps within the range of its values in the network. */
export function colorScale(
  { rangeOf }: Pick<Portal, 'rangeOf'>,
  component: PortalComponent,
): ColorScale {
  const key = `${componentKey(component.code)} ${prettyUnit(component.unit)}`;
  const steps = FIXED.get(key) ?? roundSteps(...rangeOf(component.id));
  return { steps, isWarm: isPollutant(component) };
}

/** Distances of round steps, times a power of ten. */
const DISTANCES = [1, 2, 2.5, 5, 10, 20, 25, 50];

/** Up to five round steps; empty without values, or when all values are equal. */
function roundSteps(least: number, most: number): Steps {
  const [lowest, highest] = [clampForScale(least), clampForScale(most)];
  if (least > most || isFlat(lowest, highest)) return [];
  const power = 10 ** Math.floor(Math.log10((highest - lowest) / CLASSES));
  for (const distance of DISTANCES) {
    const [first, last] = [lowest, highest].map((end) => Math.floor(end / (distance * power)));
    const count = Number(last) - Number(first);
    if (count >= CLASSES) continue;
    // Rounds away artefacts such as 0.30000000000000004.
    return Array.from({ length: count }, (_, at) =>
      Number(((Number(first) + 1 + at) * distance * power).toPrecision(12)),
    );
  }
  return [];
}

/** Pollutants have the warm colours `c0` to `c5`, weather the cool colours `m0` to `m5`. */
export function isPollutant({ unit }: Pick<PortalComponent, 'unit'>): boolean {
  return prettyUnit(unit).includes('g/m³');
}

/** Name of a value's colour; fewer than six classes are spread over all colours. */
export function colorOf(value: number, { steps, isWarm }: ColorScale): string {
  const below = steps.filter((step) => step <= value).length;
  return colorName(spread(below, steps.length), isWarm);
}

/** A swatch in the colour of a pollutant's value; undefined for weather. */
export function swatchMarkup(
  value: number,
  component: PortalComponent,
  scale: ColorScale,
): Markup | undefined {
  return isPollutant(component)
    ? html`<span class="swatch ${colorOf(value, scale)}"></span>`
    : undefined;
}

/** Each class with its colour and limits, which are undefined at the ends of the scale. */
export function classesOf({ steps, isWarm }: ColorScale) {
  return Array.from({ length: steps.length + 1 }, (_, index) => ({
    color: colorName(spread(index, steps.length), isWarm),
    from: steps[index - 1],
    to: steps[index],
  }));
}

/** Each colour with its limits: `< 10`, `10–20`, `≥ 20`; empty for a class without limits. */
export function legendOf(scale: ColorScale, format: Formatters) {
  const classes = classesOf(scale).map((one) => ({ ...one, label: classLabel(one, format) }));
  return classes.filter(({ label }) => label !== '');
}

function classLabel(
  { from, to }: ReturnType<typeof classesOf>[number],
  { number }: Formatters,
): string {
  if (from === undefined) return to === undefined ? '' : `< ${number(to)}`;
  return to === undefined ? `≥ ${number(from)}` : `${number(from)}–${number(to)}`;
}

function colorName(index: number, isWarm: boolean): string {
  return `${isWarm ? 'c' : 'm'}${index}`;
}

function spread(index: number, last: number): number {
  return last === 0 ? 2 : Math.round((index * (CLASSES - 1)) / last);
}
