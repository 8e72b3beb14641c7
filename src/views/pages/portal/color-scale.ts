/**
 * Divides values into six classes from low to high, each with a colour of `styles/site/tokens.css`.
 *
 * Lightness changes in even steps, so that classes differ without colour vision and in print, and high values stand
 * out. Steps of known components are fixed round numbers, not legal limits: a colour means the same on every day and in
 * every network. Other components get round steps within the range of the longest window, for map, charts and calendar
 * alike. The operator's scales replace steps and colours.
 */
import { html, type Markup } from '../../html.js';
import { isDirection, prettyUnit } from '../../../snapshot/domain/units.js';
import type { Messages } from '../../../texts/fluent-messages.js';
import type { Texts } from '../../../texts/operator.js';
import { ownScales } from '../../../texts/scales.js';
import { inLanguage } from '../../../texts/texts.js';
import type { Theme } from '../page.js';
import { clampForScale, isFlat } from './chart/hourly.js';
import type { Formatters } from './formatters.js';
import { componentKey } from './notation.js';
import type { Portal, PortalComponent } from './portal-model.js';

const CLASSES = 6;

/** Limits between classes, ascending; an equal value belongs to the class above. */
type Steps = readonly number[];

export interface ColorScale {
  readonly steps: Steps;
  /** CSS classes, one more than steps, and the operator's names for them. */
  readonly colors: readonly string[];
  readonly names: readonly (Texts | undefined)[];
  readonly hasSwatches: boolean;
  /** The source of the operator's scale; `none` for the service's own steps, which judge nothing. */
  readonly source: string;
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

/** The operator's scale (not for sums and other units), else fixed steps, else round steps within the network's range. */
export function colorScale(
  { rangeOf }: Pick<Portal, 'rangeOf'>,
  component: PortalComponent,
  hasOwn = !isDirection(component),
): ColorScale {
  const own = hasOwn ? ownScale(component) : undefined;
  if (own !== undefined) return own;
  const key = `${componentKey(component.code)} ${prettyUnit(component.unit)}`;
  const steps = FIXED.get(key) ?? roundSteps(...rangeOf(component.id));
  const hasSwatches = isPollutant(component);
  const kind = hasSwatches ? 'c' : 'm';
  const colors = [undefined, ...steps].map((_, at) => `${kind}${spread(at, steps.length)}`);
  return { steps, colors, hasSwatches, names: [], source: 'none' };
}

/** Values below the first step have its colour. */
function ownScale({ code }: PortalComponent): ColorScale | undefined {
  const at = ownScales().findIndex(({ components }) =>
    components.map(componentKey).includes(componentKey(code)),
  );
  const own = ownScales()[at];
  if (own === undefined) return undefined;
  return {
    steps: own.steps.slice(1).map(({ from }) => from),
    colors: own.steps.map((_, step) => `k${at}-${step}`),
    names: own.steps.map(({ name }) => name),
    hasSwatches: true,
    source: [own.source, own.date].filter(Boolean).join(', '),
  };
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
export function colorOf(value: number, { steps, colors }: ColorScale): string {
  return colors[steps.filter((step) => step <= value).length] ?? '';
}

/** The operator's name for a colour. */
export function nameOfColor(color: string, { colors, names }: ColorScale, texts: Messages): string {
  const name = names[colors.indexOf(color)];
  return (name && inLanguage(name, texts.language)) ?? '';
}

/** A swatch in the colour of a value; false for weather, unless the operator has a scale of it. */
export function swatchMarkup(value: number, scale: ColorScale): Markup | false {
  return scale.hasSwatches && html`<span class="swatch ${colorOf(value, scale)}"></span>`;
}

/** Each class with its colour and limits, which are undefined at the ends of the scale. */
export function classesOf({ steps, colors }: ColorScale) {
  return colors.map((color, index) => ({ color, from: steps[index - 1], to: steps[index] }));
}

/** Each colour with its limits (`< 10`, `10–20`, `≥ 20`) and name, then the note; empty for one class without a name. */
export function legendOf(scale: ColorScale, texts: Messages, format: Formatters) {
  const { source } = scale;
  const items = classesOf(scale).flatMap((one) => {
    const label = `${classLabel(one, format)} ${nameOfColor(one.color, scale, texts)}`.trim();
    return label === '' ? [] : html`<li><span class="swatch ${one.color}"></span>${label}</li>`;
  });
  if (items.length === 0) return [];
  return [...items, html`<li class="scale-note">${texts('scale-note', { source })}</li>`];
}

/** The operator's colours by CSS class. */
export function ownColors(theme?: Theme): ReadonlyMap<string, string> {
  const colors = ownScales().flatMap(({ steps }, at) =>
    steps.map(({ color, dark_color: dark = color }, step) => {
      return [`k${at}-${step}`, theme === 'dark' ? dark : color] as const;
    }),
  );
  return new Map(colors);
}

/** The style sheet of the operator's colours; undefined without scales. */
export function ownStyles(): string | undefined {
  const rules = (within: string, theme: Theme): string =>
    Array.from(
      ownColors(theme),
      ([name, fill]) => `${within} .${name}{--fill:${fill};--on-fill:${textOn(fill)}}`,
    ).join('\n');
  const automatic = rules(':root[data-theme=auto]', 'dark');
  const dark = `${rules(':root[data-theme=dark]', 'dark')}\n@media (prefers-color-scheme: dark)`;
  return automatic === '' ? undefined : `${rules('', 'light')}\n${dark} {${automatic}}\n`;
}

/** Black or white, whichever has the greater contrast: about 4.5 or more (WCAG 2.2, with a gamma of 2.2). */
function textOn(color: string): string {
  const light = (at: number): number => (Number.parseInt(color.slice(at, at + 2), 16) / 255) ** 2.2;
  return 0.2126 * light(1) + 0.7152 * light(3) + 0.0722 * light(5) > 0.179 ? '#000' : '#fff';
}

function classLabel(
  { from, to }: ReturnType<typeof classesOf>[number],
  { number }: Formatters,
): string {
  if (from === undefined) return to === undefined ? '' : `< ${number(to)}`;
  return to === undefined ? `≥ ${number(from)}` : `${number(from)}–${number(to)}`;
}

function spread(index: number, last: number): number {
  return last === 0 ? 2 : Math.round((index * (CLASSES - 1)) / last);
}
