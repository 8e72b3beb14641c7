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
import { prettyUnit } from '../notation.js';
import { maxOf, type Portal, type PortalComponent, type StationSeries } from '../portal-model.js';
import { creditOf } from '../credit.js';
import { missingText, periodName } from '../period.js';
import { chartTitle, nameOf, notMeasuredText } from '../station-panel.js';
import { seriesSummary } from '../statistics.js';
import { usualRanges } from '../usual.js';
import { compassOf, isDirection, sectorOf } from './direction.js';
import { estimatedWidth, fitText, wrapText } from './picture-text.js';
import { viewPlot } from './plot.js';

export interface PictureOptions {
  readonly request: ChartRequest;
  readonly style: PageStyle;
  readonly timeZone: string;
  readonly portal: Portal;
  readonly component: PortalComponent;
  readonly series: StationSeries;
  readonly compared: StationSeries | undefined;
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
const LEGEND_ROW = 18;

/** Sizes of text by its class (`styles/picture/picture.css`); bold letters are wide, so a notice counts as larger than it is. */
const SIZES = { head: 16, soft: 12, notice: 13, now: 20, hour: 12, none: 12, credit: 11 };

/** Context of `templates/chart.liquid`, as `page`. */
export function viewPicture(options: PictureOptions) {
  const { request, style, timeZone, portal, component, series, compared } = options;
  const texts = messagesOf(style.language, 'portal');
  const format = formattersFor(style.language, timeZone);
  const stations = [series, ...(compared ? [compared] : [])];
  const { label } = nameOf(component, texts);
  const unit = prettyUnit(component.unit);
  const named = unit === '' ? label : `${label} (${unit})`;
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
  const summaries = (isEmpty ? [] : stations).map(
    (one) => `${one.station.name}: ${seriesSummary(one, { component, texts, format })}`,
  );
  const box = boxOf(request);
  const about = [`${named}, ${period}.`, missing ?? '', ...summaries, credit].join(' ');
  return {
    width: request.width,
    height: request.height,
    language: style.language,
    theme: style.theme ?? 'light',
    box: { width: Number(box.width.toFixed(2)), height: Number(box.height.toFixed(2)) },
    title: chartTitle(stations, component, { period: name, texts }),
    about: notice === undefined || notice === missing ? about : `${notice}. ${about}`,
    ...layOut(options, box, {
      stations: stations.map(({ station }) => station.name).join(' / '),
      component: named,
      period,
      notice,
      credit,
      none: series.station.componentIds.includes(component.id)
        ? ((isEmpty ? missing : undefined) ?? texts('no-values'))
        : notMeasuredText(component, texts),
      ...newestOf(options, stations, format),
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

/** Texts of a picture; `now` are the last values with their unit, and `hour` is that of the last one. */
type Labels = Readonly<
  Record<'stations' | 'component' | 'period' | 'credit' | 'none' | 'now', string>
> &
  Readonly<Record<'hour' | 'notice', string | undefined>>;

interface Row {
  readonly name: keyof typeof SIZES;
  readonly text: string | undefined;
}

/** From above: what it shows, a notice, the stations compared or the newest value, the plot, and the source. */
function layOut(options: PictureOptions, box: Box, labels: Labels) {
  const { compared, series } = options;
  const { component, period, now, hour } = labels;
  const legendHeight = compared ? 2 * LEGEND_ROW : 0;
  const isLarge = box.width >= LARGE.width && box.height >= LARGE.height + legendHeight;
  // Without room for it the stations are named above.
  const hasLegend = compared !== undefined && isLarge;
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
      { name: 'head', text: hasLegend ? component : labels.stations },
      { name: 'soft', text: hasLegend ? period : `${component} · ${period}` },
      { name: 'notice', text: labels.notice },
    ],
    { ...column, top: edge - 2 },
  );
  const legend = hasLegend ? legendOf(options, { ...column, top: about.bottom }) : [];
  const top = about.bottom + (isLarge ? legendHeight : 0);
  const newest: readonly Row[] =
    hour === undefined
      ? linesOf('none', 2)
      : [
          { name: 'now', text: now },
          { name: 'hour', text: hour },
        ];
  const isPlotted = hour !== undefined && series.interval.to - series.interval.from > 1;
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
    legend,
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

/** Letter, line and name of each station. */
function legendOf({ series, compared, component }: PictureOptions, { x, width, top }: Column) {
  return [series, ...(compared ? [compared] : [])].map(({ station }, index) => {
    const y = top + (index + 1) * LEGEND_ROW;
    return {
      letter: 'AB'[index] ?? '',
      x: x.toFixed(1),
      y: y.toFixed(1),
      textX: (x + 50).toFixed(1),
      dots: isDirection(component),
      text: fitText(station.name, width - 50, SIZES.soft),
      /** Path of a piece of the line, or of two dots. */
      sample: isDirection(component) ? `M${x + 22},${y - 4}h0m12,0h0` : `M${x + 16},${y - 4}h26`,
    };
  });
}

/** With axes the labels of the vertical one, and the name of the clock below them, decide where the plot begins. */
function plotOf(
  options: PictureOptions,
  { width, height, edge, isLarge }: Box & { readonly edge: number; readonly isLarge: boolean },
) {
  const draft = viewPlot(plotOptions(options, { width: width - 2 * edge, height }));
  if (draft === undefined || !isLarge) {
    const bare = { axes: '', rules: [], bands: [], zone: undefined };
    const series = draft?.series.map((one) => ({ ...one, endY: undefined }));
    return { plot: draft && { ...draft, ...bare, series }, left: edge };
  }
  const labels = [...draft.rules.map(({ label }) => label), draft.zone];
  const left = edge + 10 + Math.max(...labels.map((label) => estimatedWidth(label, SIZES.soft)));
  const right = edge + (options.compared === undefined ? 8 : 18);
  const size = { width: Math.max(Math.round(width - left - right), 20), height };
  return { plot: viewPlot(plotOptions(options, size)), left };
}

function plotOptions(
  { portal, component, series, compared, longest, style, timeZone }: PictureOptions,
  size: Box,
) {
  const format = formattersFor(style.language, timeZone);
  const hasBand = longest !== undefined && compared === undefined && !isDirection(component);
  return {
    points: series.points,
    compared: compared?.points,
    interval: series.interval,
    usual: hasBand ? usualRanges(longest, format) : undefined,
    scale: colorScale(portal, component),
    format,
    compass: isDirection(component) ? compassOf(messagesOf(style.language, 'portal')) : undefined,
    size,
  };
}

/** The newest hour with a value, and the value of each station then: a dash where it has none. */
function newestOf(
  { component, style }: PictureOptions,
  stations: readonly StationSeries[],
  format: Formatters,
): Pick<Labels, 'now' | 'hour'> {
  const compass = compassOf(messagesOf(style.language, 'portal'));
  const newest = stations.map(({ points }) => points.at(-1));
  const hour = maxOf(newest.flatMap((point) => point?.hour ?? []));
  const values = newest.map((point) => {
    if (point?.hour !== hour) return '–';
    return isDirection(component) ? compass[sectorOf(point.value)] : format.number(point.value);
  });
  const unit = isDirection(component) ? '' : prettyUnit(component.unit);
  return {
    now:
      stations.length === 1
        ? `${values[0] ?? ''} ${unit}`.trim()
        : values.map((one, at) => `${'AB'[at] ?? ''} ${one ?? ''}`).join(' · '),
    hour: Number.isFinite(hour) ? format.hourSpan(hour).text : undefined,
  };
}
