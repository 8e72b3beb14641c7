/**
 * Lays out the plot of one component over one window, of one station or of two: lines or directions, ticks, bands, gaps.
 *
 * Pages and pictures draw the same plot (`templates/parts/plot.liquid`). In a page, horizontal positions are in percent
 * of the plot, so that it fits every screen while its text and lines keep their size; only its lines are in a viewBox
 * that is stretched. In a picture they are in pixels. Vertical positions are in pixels in both.
 */
import { scaleLinear } from 'd3-scale';
import { area, line } from 'd3-shape';
import type { HourInterval } from '../../../../snapshot/domain/windows.js';
import { classesOf, type ColorScale } from '../color-scale.js';
import type { Formatters } from '../formatters.js';
import { percent } from '../notation.js';
import type { HourlyValue } from '../portal-model.js';
import { arrowTurn, FULL_CIRCLE, normalizeDirection } from './direction.js';
import { domainOf, hourlyValues } from './hourly.js';
import { estimatedWidth } from './picture-text.js';
import { ticksOf, type Tick } from './ticks.js';

const PANEL_HEIGHT = 220;

/** Width of the stretched viewBox. */
const STRETCHED_WIDTH = 1000;

/** Smallest height of a band of colour in pixels. */
const BAND_HEIGHT_MIN = 1;

/** Longest interval whose directions are arrows: more of them would cover each other. */
const ARROW_HOURS_MAX = 24;

/** Smallest distance of the letters at the ends of two lines. */
const LETTER_DISTANCE = 14;

/** Distance of ticks with labels in a picture: at least this, and more where the year stands beside the first day. */
const TICK_WIDTH_MIN = 52;
const TICK_GAP = 8;

/** What is drawn of one station. */
interface PlotSeries {
  /** Empty where there is only one station. */
  readonly letter: '' | 'A' | 'B';
  readonly line: string;
  readonly area: string;
  /** Directions as dots. */
  readonly dots: string;
  /** Directions as arrows that point where the wind blows; `turn` is clockwise, in degrees, from an arrow that points up. */
  readonly arrows: readonly { readonly x: string; readonly y: string; readonly turn: string }[];
  /** Height of the letter beside the last value; undefined where there is no value. */
  readonly endY: string | undefined;
}

export interface Plot {
  readonly height: number;
  /** Of the plot, as SVG writes lengths. */
  readonly width: string;
  /** Width of the viewBox of lines and dots. */
  readonly curveWidth: number;
  readonly isStretched: boolean;
  /** Whether it has so many hours that a thin line is easier to read. */
  readonly isDense: boolean;
  /** Values at the lower and the upper end of the vertical axis. */
  readonly low: number;
  readonly high: number;
  /** One series, or two to compare. */
  readonly series: readonly PlotSeries[];
  /** Horizontal lines with their values. */
  readonly rules: readonly { readonly y: string; readonly label: string }[];
  /** Times below the plot; narrow screens show the major ones only. */
  readonly ticks: readonly {
    readonly x: string;
    readonly label: string;
    readonly iso: string;
    readonly isMajor: boolean;
  }[];
  /** Hours without a value of any station. */
  readonly gaps: readonly { readonly x: string; readonly width: string }[];
  /** Colours of the map along the vertical axis. */
  readonly bands: readonly {
    readonly y: string;
    readonly height: string;
    readonly color: string;
  }[];
}

export interface PlotOptions {
  readonly points: readonly HourlyValue[];
  /** Of a second station. */
  readonly compared?: readonly HourlyValue[] | undefined;
  readonly interval: HourInterval;
  readonly scale: ColorScale;
  readonly format: Formatters;
  /** The eight points of the compass where values are directions. */
  readonly compass?: readonly string[] | undefined;
  /** In pixels; default: that of a page. */
  readonly size?: { readonly width: number; readonly height: number };
}

/** Undefined where the interval has no value. */
export function viewPlot(options: PlotOptions): Plot | undefined {
  const { points, compared = [], interval, scale, format, compass, size } = options;
  const all = [...points, ...compared];
  if (all.length === 0) return undefined;
  const height = size?.height ?? PANEL_HEIGHT;
  const curveWidth = size?.width ?? STRETCHED_WIDTH;
  const hours = interval.to - interval.from;
  const y =
    compass === undefined
      ? scaleLinear(domainOf(all), [height, 0]).nice(4)
      : scaleLinear([0, FULL_CIRCLE], [height, 0]);
  const [low = 0, high = 0] = y.domain();
  const at = (share: number): string =>
    size === undefined ? percent(share) : (share * size.width).toFixed(1);
  const isDirection = compass !== undefined;
  const frame: Frame = { interval, y, at, curveWidth, height, isDirection };
  const isCompared = options.compared !== undefined;
  const series = [
    viewSeries(points, isCompared ? 'A' : '', frame),
    ...(isCompared ? [viewSeries(compared, 'B', frame)] : []),
  ];
  const ticks = ticksOf(interval, format);
  const isNarrow = size !== undefined && size.width / ticks.length < tickWidth(ticks);
  return {
    height,
    width: size === undefined ? '100%' : String(size.width),
    curveWidth,
    isStretched: size === undefined,
    isDense: hours > 7 * 24,
    low,
    high,
    series: apart(series, height),
    rules:
      compass === undefined
        ? y.ticks(4).map((value) => ({ y: y(value).toFixed(1), label: format.number(value) }))
        : compassRules(y, compass),
    ticks: ticks
      .filter(({ isMajor }) => isMajor || !isNarrow)
      .map((tick) => ({ ...tick, x: at(tick.hours / hours) })),
    gaps: gapsOf(hourlyValues(all, interval)).map(({ start, end }) => ({
      x: at(start / hours),
      width: at((end - start) / hours),
    })),
    bands: compass === undefined ? bandsOf(y, scale) : [],
  };
}

/** What positions are worked out from. */
interface Frame {
  readonly interval: HourInterval;
  readonly y: (value: number) => number;
  readonly at: (share: number) => string;
  readonly curveWidth: number;
  readonly height: number;
  readonly isDirection: boolean;
}

function viewSeries(
  points: readonly HourlyValue[],
  letter: PlotSeries['letter'],
  { interval, y, at, curveWidth, height, isDirection }: Frame,
): PlotSeries {
  const hours = interval.to - interval.from;
  const shareOf = (index: number): number => (index + 0.5) / hours;
  const values = hourlyValues(points, interval);
  const last = points.at(-1);
  const plotted = (value: number): number => y(isDirection ? normalizeDirection(value) : value);
  const endY =
    last === undefined ? undefined : plotted(values[last.hour - interval.from] ?? 0).toFixed(1);
  const none = { letter, line: '', area: '', dots: '', arrows: [], endY };
  const available = [...values.entries()].filter(([, value]) => !Number.isNaN(value));
  if (isDirection && hours <= ARROW_HOURS_MAX) {
    const arrows = available.map(([index, value]) => ({
      x: at(shareOf(index)),
      y: plotted(value).toFixed(1),
      turn: arrowTurn(value),
    }));
    return { ...none, arrows };
  }
  const x = (index: number): number => shareOf(index) * curveWidth;
  if (isDirection) {
    const dots = available.map(
      ([index, value]) => `M${x(index).toFixed(1)},${plotted(value).toFixed(1)}h0`,
    );
    return { ...none, dots: dots.join('') };
  }
  const isAvailable = (value: number): boolean => !Number.isNaN(value);
  const xOf = (_: number, index: number): number => x(index);
  const curve = line<number>(xOf, plotted).defined(isAvailable).digits(1);
  const below = area<number>(xOf, height, plotted).defined(isAvailable).digits(1);
  return { ...none, line: curve(values) ?? '', area: letter === '' ? (below(values) ?? '') : '' };
}

/** Moves the letters of two lines that end at nearly the same height away from each other. */
function apart(series: readonly PlotSeries[], height: number): readonly PlotSeries[] {
  const [first, second] = series.map(({ endY }) => (endY === undefined ? NaN : Number(endY)));
  if (first === undefined || second === undefined) return series;
  const distance = Math.abs(second - first);
  if (Number.isNaN(distance) || distance >= LETTER_DISTANCE) return series;
  const half = LETTER_DISTANCE / 2;
  const middle = Math.min(Math.max((first + second) / 2, half), height - half);
  const [above, below] = [(middle - half).toFixed(1), (middle + half).toFixed(1)];
  return series.map((one, index) => ({
    ...one,
    endY: (index === 0) === first <= second ? above : below,
  }));
}

/** Labels stand in the middle of their ticks; the first one is the longest. */
function tickWidth([first, second]: readonly Tick[]): number {
  const widths = [first, second].map((tick) => estimatedWidth(tick?.label ?? '', 12));
  return Math.max(
    TICK_WIDTH_MIN,
    widths.reduce((sum, width) => sum + width / 2, TICK_GAP),
  );
}

/** North is at both ends. */
function compassRules(y: (value: number) => number, compass: readonly string[]): Plot['rules'] {
  return [0, 90, 180, 270, FULL_CIRCLE].map((degrees) => ({
    y: y(degrees).toFixed(1),
    label: compass[(degrees / 45) % compass.length] ?? '',
  }));
}

/** Hours without a value, `[start, end)`, counted from the start of the interval. */
function gapsOf(
  values: readonly number[],
): readonly { readonly start: number; readonly end: number }[] {
  const gaps: { readonly start: number; readonly end: number }[] = [];
  let start: number | undefined;
  for (const [index, value] of [...values, 0].entries()) {
    if (Number.isNaN(value)) start ??= index;
    else if (start !== undefined) {
      gaps.push({ start, end: index });
      start = undefined;
    }
  }
  return gaps;
}

function bandsOf(
  y: { (value: number): number; domain(): number[] },
  scale: ColorScale,
): Plot['bands'] {
  const [lowest = 0, highest = 0] = y.domain();
  return classesOf(scale).flatMap(({ color, from, to }) => {
    const top = y(Math.min(to ?? highest, highest));
    const bottom = y(Math.max(from ?? lowest, lowest));
    return bottom - top < BAND_HEIGHT_MIN
      ? []
      : [{ y: top.toFixed(1), height: (bottom - top).toFixed(1), color }];
  });
}
