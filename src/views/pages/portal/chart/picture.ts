/**
 * The chart of one component as a picture for other people's pages and reports: everything that it needs is in it.
 *
 * It is laid out in a box of its own and scaled to the size that was asked for, so that its text is neither tiny in a
 * large picture nor cut in a small one. Where there is no room for axes, the newest value with its hour is in their place.
 */
import { HOUR_MS } from '../../../../snapshot/domain/windows.js';
import { messagesOf } from '../../../../texts/texts.js';
import { isFixed, type ChartRequest, type PageStyle } from '../../page.js';
import { colorScale } from '../color-scale.js';
import { formattersFor, type Formatters } from '../formatters.js';
import { demonstrationNotice } from '../freshness.js';
import { nameOf, notMeasuredText, prettyUnit } from '../notation.js';
import { maxOf, type ChartSeries, type Portal, type StationSeries } from '../portal-model.js';
import { chartTitle, lineNames, plotLines } from '../comparison.js';
import { creditOf } from '../credit.js';
import { missingText, periodName } from '../period.js';
import { seriesSummary } from '../statistics.js';
import { usualRanges } from '../usual.js';
import { compassOf, isDirection, sectorOf } from './direction.js';
import { estimatedWidth, fitText, wrapText } from './picture-text.js';
import { NAMES_WIDTH } from './end-labels.js';
import { viewPlot } from './plot.js';

export interface PictureOptions {
  readonly request: ChartRequest;
  readonly style: PageStyle;
  readonly timeZone: string;
  readonly portal: Portal;
  readonly series: ChartSeries;
  readonly compared: readonly ChartSeries[];
  /** The component at the first station in the longest window. */
  readonly longest: StationSeries | undefined;
}

/** The size at which the text of a picture has its own size. */
const NATURAL = { width: 640, height: 340 };
const SCALE_MAX = 2.4;

/** Below this size text is smaller than its own size, which is hard to read. */
const SMALL = { width: 200, height: 160, scale: 0.8 };

/** Below these the picture has no axes. */
const LARGE = { width: 280, height: 190 };

const AXIS_HEIGHT = 34;
const PLOT_GAP = 12;
const PLOT_HEIGHT_MIN = 12;
const ROW_GAP = 4;

/** What each name at the end of a line needs of the height, and all of the width. */
const NAMED = { row: 13, width: 40 };

/** Sizes of text by its class (`styles/picture/picture.css`); bold letters are wide, so a notice counts as larger than it is. */
const SIZES = { head: 16, soft: 12, notice: 13, now: 20, hour: 12, none: 12, credit: 11 };

/** Context of `templates/chart.liquid`, as `page`. */
export function viewPicture(options: PictureOptions) {
  const { request, style, timeZone, portal, series, compared } = options;
  const { component } = series;
  const texts = messagesOf(style.language, 'portal');
  const format = formattersFor(style.language, timeZone);
  const all = [series, ...compared];
  const names = lineNames(all, texts);
  const unit = prettyUnit(component.unit);
  const withUnit = (text: string): string => (unit === '' ? text : `${text} (${unit})`);
  const components = [...new Set(all.map((one) => nameOf(one.component, texts).label))];
  const stations = [...new Set(all.map(({ station }) => station.name))].join(' / ');
  const measured = withUnit(components.join(' / '));
  const name = periodName(request.period, series.interval, { texts, format });
  const period = isFixed(request.period)
    ? `${name} (${timeZone})`
    : texts('picture-period', {
        window: name,
        until: format.fullMoment(series.interval.to * HOUR_MS).text,
        zone: timeZone,
      });
  const credit = creditOf(portal, style.language, format);
  const old = request.isOld ? texts('picture-old') : undefined;
  const isEmpty = series.interval.from === series.interval.to;
  const missing = missingText(request.period, portal, texts);
  const notice =
    demonstrationNotice({ portal, texts, format }) ?? (isEmpty ? undefined : missing) ?? old;
  const summaries = (isEmpty ? [] : all).map(
    (one, index) => `${names[index] ?? ''}: ${seriesSummary(one, { texts, format })}`,
  );
  const box = boxOf(request);
  const about = [`${measured}, ${period}.`, missing ?? '', ...summaries, credit].join(' ');
  return {
    width: request.width,
    height: request.height,
    language: style.language,
    theme: style.theme ?? 'light',
    box: { width: Number(box.width.toFixed(2)), height: Number(box.height.toFixed(2)) },
    title: chartTitle(all, { period: name, texts }),
    about: notice === undefined || notice === missing ? about : `${notice}. ${about}`,
    ...layOut(options, box, {
      stations,
      components: measured,
      shared: components.length > 1 ? withUnit(stations) : measured,
      period,
      notice,
      credit,
      none: series.station.componentIds.includes(component.id)
        ? ((isEmpty ? missing : undefined) ?? texts('no-values'))
        : notMeasuredText(component, texts),
      ...newestOf(options, all, format),
    }),
  };
}

interface Box {
  readonly width: number;
  readonly height: number;
}

function boxOf({ width, height }: Box): Box {
  const least = width >= SMALL.width && height >= SMALL.height ? 1 : SMALL.scale;
  const fitting = Math.min(width / NATURAL.width, height / NATURAL.height);
  const scale = Math.min(Math.max(fitting, least), SCALE_MAX);
  return { width: width / scale, height: height / scale };
}

/** Texts of a picture; `shared` is what all lines have in common, `now` are the last values with their unit, and `hour` is that of the last one. */
type Labels = Readonly<
  Record<'stations' | 'components' | 'shared' | 'period' | 'credit' | 'none' | 'now', string>
> &
  Readonly<Record<'hour' | 'notice', string | undefined>>;

interface Row {
  readonly name: keyof typeof SIZES;
  readonly text: string | undefined;
}

/** From above: what it shows, a notice, the newest value or the plot with its names, and the source. */
function layOut(options: PictureOptions, box: Box, labels: Labels) {
  const { compared, series } = options;
  const { period, now, hour } = labels;
  const isCompared = compared.length > 0;
  const isLarge =
    box.width >= LARGE.width + (isCompared ? NAMED.width : 0) &&
    box.height >= LARGE.height + compared.length * NAMED.row;
  const isPlotted = hour !== undefined && series.interval.to - series.interval.from > 1;
  // Without room for that, what is compared is named above.
  const isNamed = isCompared && isLarge && isPlotted;
  const edge = isLarge ? 14 : 8;
  const column = { x: edge, width: box.width - 2 * edge };
  const linesOf = (name: 'credit' | 'none', lines: number): readonly Row[] => {
    const wrapped = wrapText(labels[name], { ...column, fontSize: SIZES[name], lines });
    return wrapped.map((text) => ({ name, text }));
  };
  const credit = linesOf('credit', box.height < SMALL.height ? 1 : 2);
  const bottom = box.height - edge - credit.length * (SIZES.credit + ROW_GAP);
  const about = stack(
    [
      { name: 'head', text: isNamed ? labels.shared : labels.stations },
      { name: 'soft', text: isNamed ? period : `${labels.components} · ${period}` },
      { name: 'notice', text: labels.notice },
    ],
    { ...column, top: edge - 2 },
  );
  const top = about.bottom;
  const newest: readonly Row[] =
    hour === undefined
      ? linesOf('none', 2)
      : [
          { name: 'now', text: now },
          { name: 'hour', text: hour },
        ];
  // One hour is a number in the middle; without a value the picture says so.
  const middle = { x: box.width / 2, width: column.width, top: (top + bottom) / 2 - SIZES.now };
  const values = isPlotted
    ? stack(isLarge ? [] : newest, { ...column, top })
    : stack(newest, middle, ' none');
  const plotTop = values.bottom + PLOT_GAP;
  const height = Math.round(bottom - plotTop - (isLarge ? AXIS_HEIGHT : 0));
  const drawn =
    height < PLOT_HEIGHT_MIN
      ? undefined
      : plotOf(options, { width: box.width, height, edge, isLarge });
  return {
    texts: [
      ...about.texts,
      ...values.texts,
      ...stack(credit, { ...column, top: bottom + ROW_GAP }).texts,
    ],
    plot: drawn?.plot,
    origin: drawn && { x: drawn.left.toFixed(1), y: plotTop.toFixed(1) },
  };
}

type Column = Readonly<Record<'x' | 'width' | 'top', number>>;

/** Rows below each other, without those that have no text, and where the next one would begin. */
function stack(rows: readonly Row[], { x, width, top }: Column, more = '') {
  let bottom = top;
  const texts = rows.flatMap(({ name, text }) => {
    if (text === undefined) return [];
    bottom += SIZES[name] + ROW_GAP;
    const y = (bottom - ROW_GAP).toFixed(1);
    return { class: `${name}${more}`, x: x.toFixed(1), y, text: fitText(text, width, SIZES[name]) };
  });
  return { texts, bottom };
}

/** With axes the labels of the vertical one, and the name of the clock below them, decide where the plot begins. */
function plotOf(
  options: PictureOptions,
  { width, height, edge, isLarge }: Box & { readonly edge: number; readonly isLarge: boolean },
) {
  const draft = viewPlot(plotOptions(options, { width: width - 2 * edge, height }));
  if (draft === undefined || !isLarge) {
    const bare = { axes: '', rules: [], bands: [], zone: undefined };
    const series = draft?.series.map((one) => ({ ...one, label: undefined }));
    return { plot: draft && { ...draft, ...bare, series }, left: edge };
  }
  const labels = [...draft.rules.map(({ label }) => label), draft.zone];
  const left = edge + 10 + Math.max(...labels.map((label) => estimatedWidth(label, SIZES.soft)));
  const right = edge + (options.compared.length === 0 ? 8 : NAMES_WIDTH);
  const size = { width: Math.max(Math.round(width - left - right), 20), height };
  return { plot: viewPlot(plotOptions(options, size)), left };
}

function plotOptions(
  { portal, series, compared, longest, style, timeZone }: PictureOptions,
  size: Box,
) {
  const { component } = series;
  const texts = messagesOf(style.language, 'portal');
  const format = formattersFor(style.language, timeZone);
  const hasBand = longest !== undefined && compared.length === 0 && !isDirection(component);
  return {
    ...plotLines([series, ...compared], { scale: colorScale(portal, component), texts }),
    usual: hasBand ? usualRanges(longest, format) : [],
    format,
    compass: isDirection(component) ? compassOf(texts) : undefined,
    size,
  };
}

/** The newest hour with a value, and the values of all lines then, in their order: a dash where one has none. */
function newestOf(
  { series: { component }, style }: PictureOptions,
  all: readonly ChartSeries[],
  format: Formatters,
): Pick<Labels, 'now' | 'hour'> {
  const compass = compassOf(messagesOf(style.language, 'portal'));
  const newest = all.map(({ points }) => points.at(-1));
  const hour = maxOf(newest.flatMap((point) => point?.hour ?? []));
  const values = newest.map((point) => {
    if (point?.hour !== hour) return '–';
    return isDirection(component) ? compass[sectorOf(point.value)] : format.number(point.value);
  });
  const unit = isDirection(component) ? '' : prettyUnit(component.unit);
  return {
    now: `${values.join(' · ')} ${unit}`.trim(),
    hour: Number.isFinite(hour) ? format.hourSpan(hour).text : undefined,
  };
}
