/**
 * Lays out the plot of one component over one window, or of several series: lines or directions, ticks, bands, gaps.
 *
 * Pages and pictures draw the same plot (`plot-markup.ts`). Horizontal positions are in percent in a page, so that text
 * and lines keep their size on every screen, and in pixels in a picture; vertical ones are in pixels in both.
 */
import { html, type Markup } from '../../../html.js';
import { scaleLinear, type ScaleLinear } from 'd3-scale';
import { area, line } from 'd3-shape';
import { HOUR_MS, type HourInterval } from '../../../../snapshot/domain/windows.js';
import { classesOf, type ColorScale } from '../color-scale.js';
import type { Formatters } from '../formatters.js';
import { percent } from '../notation.js';
import type { HourlyValue } from '../portal-model.js';
import type { UsualRange } from '../usual.js';
import { arrowTurn, FULL_CIRCLE, normalizeDirection } from './direction.js';
import { clampForScale, domainOf, hourlyValues } from './hourly.js';
import { axisOf, type Tick } from './ticks.js';

const PANEL_HEIGHT = 220;

/** Width of the stretched viewBox. */
const STRETCHED_WIDTH = 1000;

/** Smallest height in pixels of a colour band that is labelled with its lower limit. */
const BAND_LABEL_HEIGHT = 14;

/** Smallest height of a colour band in pixels. */
const BAND_HEIGHT_MIN = 1;

/** Longest interval with arrows, in hours: more arrows would overlap. */
const ARROW_HOURS_MAX = 24;

/** Smallest distance of the labels of the vertical axis, in pixels. */
const RULE_DISTANCE = 15;

/** Length of a label of the vertical axis that fits every page. */
const LABEL_LENGTH = 5;

/** Free share of the plot above its highest value. */
const ROOM_ABOVE = 0.04;

/** Least widths in pixels of a wide plot in a page, and of narrower ones (`styles/portal/chart.css`). */
const WIDE = 880;
const NARROWER = [
  { screen: 'medium', width: 520 },
  { screen: 'narrow', width: 260 },
  { screen: 'narrowest', width: 200 },
] as const;

/** Pixels right of the plot that labels of times may cover. */
const ROOM_BESIDE = 16;

interface PlotOptions {
  readonly points: readonly HourlyValue[];
  /** Values of the other lines. */
  readonly compared?: readonly (readonly HourlyValue[])[];
  readonly interval: HourInterval;
  /** The usual range in each hour of the interval, for a band behind the line. */
  readonly usual?: readonly (UsualRange | undefined)[] | undefined;
  /** Ticks for a width in pixels; default: local times. With other ticks, an hour may stand for a day. */
  readonly axis?: (width: number) => readonly Omit<Tick, 'left' | 'right'>[];
  /** Undefined if the lines have no common scale. */
  readonly scale: ColorScale | undefined;
  readonly format: Formatters;
  /** The eight compass points, for directions. */
  readonly compass?: readonly string[] | undefined;
  /** In pixels; default: the size of a plot in a page. */
  readonly size?: { readonly width: number; readonly height: number };
}

/** The plot; undefined without values, and for a single hour, which is shown as a number. */
export function viewPlot(options: PlotOptions) {
  const { points, compared = [], interval, usual = [], scale, format, compass, size } = options;
  const all = [...points, ...compared.flat()];
  const hours = interval.to - interval.from;
  if (all.length === 0 || hours === 1) return undefined;
  const { width: curveWidth, height } = size ?? { width: STRETCHED_WIDTH, height: PANEL_HEIGHT };
  const values = [...all.map(({ value }) => value), ...usual.flatMap((range) => range ?? [])];
  const y = compass ? scaleLinear([0, FULL_CIRCLE], [height, 0]) : valueScale(values, height);
  const [low = 0, high = 0] = y.domain();
  const at = (share: number): string => (size ? (share * size.width).toFixed(1) : percent(share));
  const frame: Frame = { interval, y, at, curveWidth, height, isDirection: compass !== undefined };
  const series = [points, ...compared].map((one) => viewSeries(one, frame));
  const rules = compass === undefined ? valueRules(y, format) : compassRules(y, compass);
  const [widest, ...narrower] = axesOf(options, at);
  return {
    height,
    /** Width of the plot, as an SVG length. */
    width: size === undefined ? '100%' : String(size.width),
    /** Width of the viewBox of lines and dots. */
    curveWidth,
    isStretched: size === undefined,
    /** Whether a thin line is easier to read. */
    isDense: hours > 7 * 24,
    low,
    high,
    /** The lines; a single line has an area below it. */
    series: series.map((one) => ({ ...one, area: compared.length === 0 ? one.area : '' })),
    /** Path of the usual band, or empty. */
    usual: usualBand(usual, frame),
    rules,
    /** Whether a page needs more space for the labels of the rules. */
    hasLongLabels: rules.some(({ label }) => label.length > LABEL_LENGTH),
    ticks: widest.ticks,
    /** Ticks for narrower screens; a picture has one width. */
    narrower,
    axes: [widest, ...narrower].map((axis) => axisMarkup(axis, height)),
    /** Name of the zone at the start of hours; after a clock change, the first tick has the new name. */
    zone: options.axis ? '' : shortZone(format.zoneName(interval.from * HOUR_MS)),
    /** Hours in which no line has a value. */
    gaps: gapsOf(hourlyValues(all, interval)).map(({ start, end }) => ({
      x: at(start / hours),
      width: at((end - start) / hours),
    })),
    /** Colours of the map along the vertical axis. */
    bands: compass === undefined && scale ? bandsOf(y, scale, format) : [],
  };
}

/** Ticks for each width of screens, the widest first; `x` is an SVG length. */
function axesOf(
  { interval, format, size, axis = axisOf({ interval, format, right: ROOM_BESIDE }) }: PlotOptions,
  at: Frame['at'],
) {
  const hours = interval.to - interval.from;
  const ticksAt = (screen: string, width: number) => ({
    screen,
    ticks: axis(width).map((tick) => ({ ...tick, x: at(tick.hours / hours) })),
  });
  return [
    ticksAt('', size?.width ?? WIDE),
    ...(size === undefined ? NARROWER : []).map(({ screen, width }) => ticksAt(screen, width)),
  ] as const;
}

function axisMarkup({ screen, ticks }: ReturnType<typeof axesOf>[number], height: number): Markup {
  const marks = ticks.map(({ x, label, below, anchor }) => {
    const line = (text: string, y: number) =>
      text && html`<text x="${x}" y="${y}" text-anchor="${anchor}">${text}</text>`;
    return html`<g class="tick"><line x1="${x}" x2="${x}" y1="0" y2="${height}"/>${line(label, height + 18)}${line(below, height + 32)}</g>`;
  });
  return html`<g class="${`axis ${screen}`.trimEnd()}">${marks}</g>`;
}

/** A scale with round ends and with space above the highest value: a line along the edge would look cut off. */
function valueScale(values: readonly number[], height: number): ScaleLinear<number, number> {
  const domain = domainOf(values);
  const scale = scaleLinear(domain, [height, 0]).nice(4);
  const [low = 0, high = 0] = scale.domain();
  const room = (high - low) * ROOM_ABOVE;
  return high - domain[1] < room ? scale.domain([low, domain[1] + room]) : scale;
}

/** Scales for positions. */
interface Frame {
  readonly interval: HourInterval;
  readonly y: (value: number) => number;
  readonly at: (share: number) => string;
  readonly curveWidth: number;
  readonly height: number;
  readonly isDirection: boolean;
}

/** The drawing of one series: a line; for directions arrows or, if too many, dots. */
function viewSeries(
  points: readonly HourlyValue[],
  { interval, y, at, curveWidth, height, isDirection }: Frame,
) {
  const hours = interval.to - interval.from;
  const values = hourlyValues(points, interval);
  const isAvailable = (value: number): boolean => !Number.isNaN(value);
  const shareOf = (index: number): number => (index + 0.5) / hours;
  const xOf = (_: number, index: number): number => shareOf(index) * curveWidth;
  const yOf = (value: number): number => y(isDirection ? normalizeDirection(value) : value);
  const directions = isDirection
    ? [...values.entries()].filter(([, value]) => isAvailable(value))
    : [];
  const hasArrows = hours <= ARROW_HOURS_MAX;
  const curve = line<number>(xOf, yOf).defined(isAvailable).digits(1);
  const below = area<number>(xOf, height, yOf).defined(isAvailable).digits(1);
  return {
    line: isDirection ? '' : (curve(values) ?? ''),
    area: isDirection ? '' : (below(values) ?? ''),
    dots: (hasArrows ? [] : directions)
      .map(([index, value]) => `M${xOf(value, index).toFixed(1)},${yOf(value).toFixed(1)}h0`)
      .join(''),
    /** Arrows point where the wind goes; `turn` is clockwise from up, in degrees. */
    arrows: (hasArrows ? directions : []).map(([index, value]) => ({
      x: at(shareOf(index)),
      y: yOf(value).toFixed(1),
      turn: arrowTurn(value),
    })),
  };
}

/** Path of the usual band, through the middle of each hour; hours without a usual range are gaps. */
function usualBand(ranges: readonly (UsualRange | undefined)[], { y, curveWidth }: Frame): string {
  const yOf = (value: number): number => y(clampForScale(value));
  const band = area<UsualRange | undefined>(
    (_, index) => ((index + 0.5) / ranges.length) * curveWidth,
    (range) => yOf(range?.[0] ?? 0),
    (range) => yOf(range?.[1] ?? 0),
  );
  return band.defined((range) => range !== undefined).digits(1)(ranges) ?? '';
}

/** `+11` for `GMT+11`, which is too long for narrow pages. */
function shortZone(name: string): string {
  return name.replace(/^(?:GMT|UTC)(?=.{3})/, '');
}

/** Up to about five round values whose labels do not overlap. */
function rulesOf(y: ScaleLinear<number, number>): readonly number[] {
  const rules = [4, 3, 2, 1].map((count) => y.ticks(count));
  return rules.find((values) => distanceOf(values, y) >= RULE_DISTANCE) ?? y.ticks(1).slice(0, 1);
}

function valueRules(y: ScaleLinear<number, number>, format: PlotOptions['format']) {
  return rulesOf(y).map((value) => ({ y: y(value).toFixed(1), label: format.number(value) }));
}

/** Compass points along the vertical axis; north is at both ends. */
function compassRules(y: (value: number) => number, compass: readonly string[]) {
  const rules = [90, 180, FULL_CIRCLE].map((step) =>
    Array.from({ length: FULL_CIRCLE / step + 1 }, (_, at) => at * step),
  );
  const readable = rules.find((values) => distanceOf(values, y) >= RULE_DISTANCE) ?? [];
  return readable.map((degrees) => ({
    y: y(degrees).toFixed(1),
    label: compass[(degrees / 45) % compass.length] ?? '',
  }));
}

/** Distance of the first two values, in pixels. */
function distanceOf([first = 0, second]: readonly number[], y: (value: number) => number): number {
  return second === undefined ? Infinity : Math.abs(y(second) - y(first));
}

/** Gaps: hours without a value, `[start, end)`, counted from the start of the interval. */
function gapsOf(values: readonly number[]) {
  const gaps: { start: number; end: number }[] = [];
  for (const [index, value] of values.entries()) {
    if (!Number.isNaN(value)) continue;
    const last = gaps.at(-1);
    if (last?.end === index) last.end = index + 1;
    else gaps.push({ start: index, end: index + 1 });
  }
  return gaps;
}

function bandsOf(y: ScaleLinear<number, number>, scale: ColorScale, format: Formatters) {
  const [lowest = 0, highest = 0] = y.domain();
  return classesOf(scale).flatMap(({ color, from, to }) => {
    const top = y(Math.min(to ?? highest, highest));
    const bottom = y(Math.max(from ?? lowest, lowest));
    if (bottom - top < BAND_HEIGHT_MIN) return [];
    const isLabelled = from !== undefined && from > lowest && bottom - top >= BAND_LABEL_HEIGHT;
    return {
      y: top.toFixed(1),
      height: (bottom - top).toFixed(1),
      color,
      /** The lower limit of the class, if it lies within the plot and its label has space. */
      label: isLabelled ? { text: format.number(from), y: bottom.toFixed(1) } : undefined,
    };
  });
}
