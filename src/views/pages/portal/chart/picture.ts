/** The chart of a component as a picture for other pages; if a plot has no space, the newest value replaces it. */
import { isDirection, prettyUnit } from '../../../../snapshot/domain/units.js';
import { HOUR_MS } from '../../../../snapshot/domain/windows.js';
import { messagesOf } from '../../../../texts/texts.js';
import { isFixed, type ChartState } from '../../page.js';
import { colorScale, ownColors } from '../color-scale.js';
import type { Wording } from '../context.js';
import { formattersFor } from '../formatters.js';
import { demonstrationNotice } from '../freshness.js';
import { notMeasuredText } from '../notation.js';
import { maxOf, type ChartSeries, type Portal, type StationSeries } from '../portal-model.js';
import { chartTitle, joinedNames, lineNames, plotLines } from '../comparison.js';
import { creditOf } from '../credit.js';
import { missingText, periodName } from '../period.js';
import { coverageOf, seriesSummary } from '../statistics.js';
import { usualIn, usualRanges } from '../usual.js';
import { compassOf, sectorOf } from './direction.js';
import {
  estimatedWidth,
  fitForms,
  ROW_GAP,
  SIZES,
  stack,
  type TextColumn,
  type Row,
} from './picture-text.js';
import { viewPlot } from './plot.js';
import { plotMarkup } from './plot-markup.js';

export interface PictureOptions {
  readonly request: ChartState & {
    /** Whether the data are no longer current. */
    readonly isOld: boolean;
  };
  readonly timeZone: string;
  readonly portal: Portal;
  readonly series: ChartSeries;
  readonly compared: readonly ChartSeries[];
  /** Values of the component at the first station of the chart, over the longest window. */
  readonly longest: StationSeries | undefined;
}

/** Size of a picture that is not scaled; larger and smaller pictures scale the same layout. */
const NATURAL = { width: 640, height: 340 };
const SCALE_MAX = 2.4;

/** Pictures below this size may be scaled down to `scale`, others not at all: smaller text would be hard to read. */
const SMALL = { width: 200, height: 160, scale: 0.8 };

/** From this height on, a text above the plot may have two lines. */
const TALL = 280;

const PLOT_MIN = { width: 280, height: 24 };

const EDGE = 9;
const AXIS_HEIGHT = 34;
const PLOT_GAP = 12;
const LEGEND_ROW = 18;
const SAMPLE_WIDTH = 26;

/** Forms of each text, from long to short; possibly empty. */
type Labels = Readonly<Record<keyof typeof SIZES, readonly string[]>>;

type PictureContext = PictureOptions & Wording;

export function viewPicture(options: PictureOptions) {
  const { request, portal, series, compared } = options;
  const { component } = series;
  const texts = messagesOf(request.language, 'portal');
  const format = formattersFor(request.language, options.timeZone);
  const context = { ...options, texts, format };
  const all = [series, ...compared];
  const names = lineNames(all, texts);
  const joined = joinedNames(all, texts);
  const unit = prettyUnit(component.unit);
  const measured = unit === '' ? joined.component : `${joined.component} (${unit})`;
  const name = periodName(request.period, series.interval, { texts, format });
  const periods = periodsOf(name, context);
  const credit = creditOf(portal, request.language, format);
  const old = texts('picture-old');
  const notice = demonstrationNotice(context) ?? (request.isOld ? old : '');
  const isEmpty = series.interval.from === series.interval.to;
  const missing = missingText(request.period, series.interval, { portal, texts }) ?? '';
  const about = [
    notice && `${notice}.`,
    `${measured}, ${periods[0] ?? ''}.`,
    missing,
    ...(isEmpty ? [] : all).map(
      (one, index) => `${names[index] ?? ''}: ${seriesSummary(one, context)}`,
    ),
  ];
  const box = boxOf(options);
  const labels: Labels = {
    head: [joined.station],
    soft: periods.map((period) => `${measured}\u00a0· ${period}`),
    notice: notice === '' ? [] : [notice, old],
    missing: isEmpty || missing === '' ? [] : [missing, texts('picture-missing')],
    credit,
    note: noteOf(context, box),
    none: series.station.componentIds.includes(component.id)
      ? [(isEmpty && missing) || texts('no-values')]
      : [notMeasuredText(component, texts)],
    ...newestOf(context, all),
  };
  return {
    width: request.width,
    height: request.height,
    language: request.language,
    theme: request.theme ?? 'light',
    box: { width: Number(box.width.toFixed(2)), height: Number(box.height.toFixed(2)) },
    title: chartTitle(all, name, texts),
    about: [...about, credit[0]].filter(Boolean).join(' '),
    ...layOut(context, box, labels),
  };
}

/** The note on the colours, if they are drawn; without the operator's scale only where there is much room. */
function noteOf({ portal, series, compared, texts }: PictureContext, { height }: Box) {
  const { scale, points } = plotLines([series, ...compared], colorScale(portal, series.component));
  const isNoted = points.length > 0 && scale && (scale.source !== 'none' || height >= TALL);
  return isNoted ? [texts('scale-note', { source: scale.source })] : [];
}

/** Forms of the chart's period, from long to short. */
function periodsOf(
  name: string,
  { request, series, timeZone, texts, format }: PictureContext,
): readonly string[] {
  if (isFixed(request.period)) return [`${name} (${timeZone})`, name];
  const endMs = series.interval.to * HOUR_MS;
  const until = (end: string, zone: string): string =>
    texts('picture-period', { window: name, until: end, zone });
  return [
    until(format.fullMoment(endMs).text, timeZone),
    until(format.moment(endMs).text, format.zoneName(endMs)),
    name,
  ];
}

type Box = Readonly<Record<'width' | 'height', number>>;

function boxOf({ request: { width, height } }: PictureOptions): Box {
  const least = width >= SMALL.width && height >= SMALL.height ? 1 : SMALL.scale;
  const fitting = Math.min(width / NATURAL.width, height / NATURAL.height);
  const scale = Math.min(Math.max(fitting, least), SCALE_MAX);
  return { width: width / scale, height: height / scale };
}

function fittingRows(
  name: Row['name'],
  forms: readonly string[],
  room: { readonly width: number; readonly lines: number },
): readonly Row[] {
  return fitForms(forms, { ...room, fontSize: SIZES[name] }).map((text) => ({ name, text }));
}

/** The rows of a picture: title, notices, plot or newest value, and source. */
function layOut(context: PictureContext, box: Box, labels: Labels) {
  const column = { x: EDGE, width: box.width - 2 * EDGE };
  const rowsOf = (names: readonly Row['name'][], most: number): readonly Row[] => {
    const lines = box.height < SMALL.height ? 1 : most;
    return names.flatMap((name) => fittingRows(name, labels[name], { ...column, lines }));
  };
  const credit = rowsOf(['credit', 'note'], 3);
  const bottom = box.height - EDGE - credit.length * (SIZES.credit + ROW_GAP);
  const about = stack(
    [...rowsOf(['head'], 1), ...rowsOf(['soft', 'notice', 'missing'], box.height < TALL ? 2 : 3)],
    { ...column, top: EDGE - 4 },
  );
  const hasValue = labels.hour.length > 0;
  const room = bottom - about.bottom - PLOT_GAP - AXIS_HEIGHT;
  const entries = legendOf(context, { ...column, top: about.bottom });
  const isRoomFor = (rows: number): boolean => room - rows * LEGEND_ROW >= PLOT_MIN.height;
  // The usual band is dropped if its name has no space; compared lines are not.
  const legend = context.compared.length > 0 || isRoomFor(entries.length) ? entries : [];
  const legendHeight = legend.length * LEGEND_ROW;
  // A single hour is shown as a number.
  const isPlotted = hasValue && context.series.interval.to - context.series.interval.from > 1;
  const size = { width: box.width, height: Math.round(room - legendHeight) };
  const drawn =
    isPlotted && box.width >= PLOT_MIN.width && isRoomFor(legend.length)
      ? plotOf(context, { ...size, hasBand: legend.length > 0 })
      : undefined;
  const free = bottom - about.bottom;
  const both = SIZES.now + SIZES.hour + 2 * ROW_GAP;
  const newest = () => {
    const rows = hasValue
      ? rowsOf(free < both ? ['now'] : ['now', 'hour'], 1)
      : rowsOf(['none'], 3);
    const top = about.bottom + Math.max((free - (free < both ? SIZES.now : both)) / 2, 0);
    return stack(rows, { x: box.width / 2, top }, ' none').texts;
  };
  return {
    texts: [
      ...about.texts,
      ...(drawn ? [] : newest()),
      ...stack(credit, { ...column, top: bottom + ROW_GAP }).texts,
    ],
    legend: drawn ? legend : [],
    plot: drawn?.plot && plotMarkup(drawn.plot, ownColors(context.request.theme)).text,
    origin: drawn && {
      x: drawn.left.toFixed(1),
      y: (about.bottom + legendHeight + PLOT_GAP).toFixed(1),
    },
  };
}

/** A sample of each line, or of the usual band, with its name; a dash marks a line without values. */
function legendOf(context: PictureContext, { x, width, top }: TextColumn) {
  const { series, compared, longest, texts, format } = context;
  const all = [series, ...compared];
  const coverage = longest && coverageOf(longest.points, { texts, format });
  const band = [texts('usual-band', { coverage: coverage ?? '' }), texts('picture-band')];
  const entries =
    compared.length > 0
      ? lineNames(all, texts).map((name, at) => ({
          line: `s${at + 1}`,
          forms: [all[at]?.points.length === 0 ? `– ${name}` : name],
        }))
      : usualOf(context)
        ? [{ line: '', forms: band }]
        : [];
  return entries.map(({ line, forms }, at) => {
    const y = top + (at + 1) * LEGEND_ROW;
    const options = { width: width - SAMPLE_WIDTH - 8, fontSize: SIZES.soft, lines: 1 };
    return {
      line,
      sample: line === '' ? `M${x},${y}m0,-10h26v10h-26z` : `M${x},${y}m0,-5h26`,
      x: (x + SAMPLE_WIDTH + 8).toFixed(1),
      y: y.toFixed(1),
      text: fitForms(forms, options)[0],
    };
  });
}

/** The usual range at a single station; undefined when unknown. */
function usualOf({ longest, compared, series, format }: PictureContext) {
  const { component, interval } = series;
  if (longest === undefined || compared.length > 0 || isDirection(component)) return undefined;
  const usual = usualRanges(longest, format);
  return usual.some(Boolean) ? usualIn(interval, usual, format) : undefined;
}

/** Draws a draft first: the labels of the vertical axis and the zone's name determine where the plot begins. */
function plotOf(
  context: PictureContext,
  { width, height, hasBand }: Box & { readonly hasBand: boolean },
) {
  const { portal, series, compared, texts, format } = context;
  const { component } = series;
  const usual = hasBand ? usualOf(context) : undefined;
  const drawn = (plotWidth: number) =>
    viewPlot({
      ...plotLines([series, ...compared], colorScale(portal, component)),
      usual,
      format,
      compass: isDirection(component) ? compassOf(texts) : undefined,
      size: { width: plotWidth, height },
    });
  const draft = drawn(width - 2 * EDGE);
  if (draft === undefined) return undefined;
  const labels = [...draft.rules.map(({ label }) => label), draft.zone];
  const left = EDGE + 14 + Math.max(...labels.map((label) => estimatedWidth(label, SIZES.soft)));
  return { plot: drawn(Math.max(Math.round(width - left - EDGE - 8), 20)), left };
}

/** The newest hour with a value, and all lines' values in it: a dash for a missing one. */
function newestOf(
  { series: { component }, texts, format }: PictureContext,
  all: readonly ChartSeries[],
): Pick<Labels, 'now' | 'hour'> {
  const compass = compassOf(texts);
  const newest = all.map(({ points }) => points.at(-1));
  const hour = maxOf(newest.flatMap((point) => point?.hour ?? []));
  const values = newest.map((point) => {
    if (point?.hour !== hour) return '–';
    return isDirection(component) ? compass[sectorOf(point.value)] : format.number(point.value);
  });
  const unit = isDirection(component) ? '' : prettyUnit(component.unit);
  return {
    now: [`${values.join(' · ')} ${unit}`.trim()],
    hour: Number.isFinite(hour) ? [format.hourSpan(hour).text] : [],
  };
}
