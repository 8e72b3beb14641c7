/**
 * The chart of one component as a picture for other people's pages and reports: everything that it needs is in it.
 *
 * It is laid out in a box of its own and scaled to the size that was asked for, so that its text is neither tiny in a
 * large picture nor cut in a small one. Where there is no room for axes, the newest value with its hour is in their place.
 */
import { isDirection, prettyUnit } from '../../../../snapshot/domain/units.js';
import { HOUR_MS } from '../../../../snapshot/domain/windows.js';
import type { Messages } from '../../../../texts/messages.js';
import { messagesOf } from '../../../../texts/texts.js';
import { isFixed, type ChartState } from '../../page.js';
import { colorScale } from '../color-scale.js';
import { formattersFor, type Formatters } from '../formatters.js';
import { demonstrationNotice } from '../freshness.js';
import { nameOf, notMeasuredText } from '../notation.js';
import { maxOf, type ChartSeries, type Portal, type StationSeries } from '../portal-model.js';
import { chartTitle, lineNames, plotLines } from '../comparison.js';
import { creditOf } from '../credit.js';
import { missingText, periodName } from '../period.js';
import { coverageOf, seriesSummary } from '../statistics.js';
import { usualIn, usualRanges, type UsualRanges } from '../usual.js';
import { compassOf, sectorOf } from './direction.js';
import { NAMES_WIDTH } from './end-labels.js';
import { estimatedWidth, fitForms } from './picture-text.js';
import { viewPlot } from './plot.js';
import { plotMarkup } from './plot-markup.js';

export interface PictureOptions {
  readonly request: ChartState & {
    /** Whether the snapshot is so old that its data are not current. */
    readonly isOld: boolean;
  };
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

/** From here on a text above the plot may have two lines. */
const TALL = 280;

/** Below these the picture has no axes, and no band, which it would have to name. */
const LARGE = { width: 280, height: 190 };

const AXIS_HEIGHT = 34;
const PLOT_GAP = 12;
const PLOT_HEIGHT_MIN = 12;
const ROW_GAP = 4;
const LEGEND_ROW = 18;

/** What each name at the end of a line needs of the height, and all of the width. */
const NAMED = { row: 13, width: 40 };

/** Sizes of text by its class (`styles/picture/picture.css`); bold ones count as larger than they are. */
const SIZES = {
  head: 18,
  soft: 12,
  notice: 13,
  missing: 13,
  now: 20,
  hour: 12,
  none: 12,
  credit: 11,
};

/** Of each text its forms, from long to short; none where there is nothing to say. */
interface Labels extends Readonly<Record<keyof typeof SIZES, readonly string[]>> {
  /** Instead of these where the lines are named. */
  readonly besideNames: Pick<Labels, 'head' | 'soft'>;
}

interface PictureContext extends PictureOptions {
  readonly texts: Messages;
  readonly format: Formatters;
}

/** Context of `templates/chart.liquid`, as `page`. */
export function viewPicture(options: PictureOptions) {
  const { request, timeZone, portal, series, compared } = options;
  const { component } = series;
  const texts = messagesOf(request.language, 'portal');
  const format = formattersFor(request.language, timeZone);
  const context = { ...options, texts, format };
  const all = [series, ...compared];
  const names = lineNames(all, texts);
  const unit = prettyUnit(component.unit);
  const withUnit = (text: string): string => (unit === '' ? text : `${text} (${unit})`);
  const components = [...new Set(all.map((one) => nameOf(one.component, texts).label))];
  const stations = [...new Set(all.map(({ station }) => station.name))].join(' / ');
  const measured = withUnit(components.join(' / '));
  const name = periodName(request.period, series.interval, { texts, format });
  const endMs = series.interval.to * HOUR_MS;
  const until = (end: string, zone: string): string =>
    texts('picture-period', { window: name, until: end, zone });
  const periods = isFixed(request.period)
    ? [`${name} (${timeZone})`, name]
    : [
        until(format.fullMoment(endMs).text, timeZone),
        until(format.moment(endMs).text, format.zoneName(endMs)),
        name,
      ];
  const credit = creditOf(portal, request.language, format);
  const old = texts('picture-old');
  const notice = demonstrationNotice({ portal, texts, format }) ?? (request.isOld ? old : '');
  const isEmpty = series.interval.from === series.interval.to;
  const missing = missingText(request.period, portal, texts) ?? '';
  const summaries = (isEmpty ? [] : all).map(
    (one, index) => `${names[index] ?? ''}: ${seriesSummary(one, { texts, format })}`,
  );
  const about = [
    notice && `${notice}.`,
    `${measured}, ${periods[0] ?? ''}.`,
    missing,
    ...summaries,
  ];
  const box = boxOf(options);
  const labels: Labels = {
    head: [stations],
    soft: periods.map((period) => `${measured}\u00a0· ${period}`),
    besideNames: { head: [components.length > 1 ? withUnit(stations) : measured], soft: periods },
    notice: notice === '' ? [] : [notice, old],
    missing: isEmpty || missing === '' ? [] : [missing, texts('picture-missing')],
    credit,
    none: [
      series.station.componentIds.includes(component.id)
        ? (isEmpty && missing) || texts('no-values')
        : notMeasuredText(component, texts),
    ],
    ...newestOf(context, all),
  };
  const layout = layOut(context, box, labels);
  return {
    width: request.width,
    height: request.height,
    language: request.language,
    theme: request.theme ?? 'light',
    box: { width: Number(box.width.toFixed(2)), height: Number(box.height.toFixed(2)) },
    title: chartTitle(all, { period: name, texts }),
    about: [...about, credit[0]].filter(Boolean).join(' '),
    ...(layout.origin ? layout : layOut(context, { ...box, isLarge: false }, labels)),
  };
}

interface Box {
  readonly width: number;
  readonly height: number;
  /** Whether it has axes, and names what is to be told apart. */
  readonly isLarge: boolean;
}

function boxOf({ request: { width, height }, compared }: PictureOptions): Box {
  const least = width >= SMALL.width && height >= SMALL.height ? 1 : SMALL.scale;
  const fitting = Math.min(width / NATURAL.width, height / NATURAL.height);
  const scale = Math.min(Math.max(fitting, least), SCALE_MAX);
  const widthMin = LARGE.width + (compared.length > 0 ? NAMED.width : 0);
  const heightMin = LARGE.height + compared.length * NAMED.row;
  const isLarge = width / scale >= widthMin && height / scale >= heightMin;
  return { width: width / scale, height: height / scale, isLarge };
}

interface Row {
  readonly name: keyof typeof SIZES;
  readonly text: string;
}

/** From above: what it shows, notices, the newest value or the plot with its names, and the source. */
function layOut(context: PictureContext, box: Box, labels: Labels) {
  const { compared, series } = context;
  const { isLarge } = box;
  const hasValue = labels.hour.length > 0;
  const isPlotted = hasValue && series.interval.to - series.interval.from > 1;
  const isNamed = compared.length > 0 && isLarge && isPlotted;
  const shown = isNamed ? { ...labels, ...labels.besideNames } : labels;
  const edge = isLarge ? 14 : 8;
  const column = { x: edge, width: box.width - 2 * edge };
  const rowsOf = (names: readonly Row['name'][], lines: number): readonly Row[] =>
    names.flatMap((name) =>
      fitForms(shown[name], {
        ...column,
        fontSize: SIZES[name],
        lines: box.height < SMALL.height ? 1 : lines,
      }).map((text) => ({ name, text })),
    );
  const credit = rowsOf(['credit'], 3);
  const bottom = box.height - edge - credit.length * (SIZES.credit + ROW_GAP);
  const about = stack(
    [...rowsOf(['head'], 1), ...rowsOf(['soft', 'notice', 'missing'], box.height < TALL ? 2 : 3)],
    { ...column, top: edge - 4 },
  );
  const newest = hasValue ? rowsOf(['now', 'hour'], 1) : rowsOf(['none'], 3);
  const usual = isLarge && isPlotted ? usualOf(context) : undefined;
  const legend = usual && legendOf(context, { ...column, top: about.bottom });
  const top = about.bottom + (legend ? LEGEND_ROW : 0);
  // One hour is a number in the middle; without a value the picture says so.
  const middle = { x: box.width / 2, top: (top + bottom) / 2 - SIZES.now };
  const values = isPlotted
    ? stack(isLarge ? [] : newest, { ...column, top })
    : stack(newest, middle, ' none');
  const plotTop = values.bottom + PLOT_GAP;
  const height = Math.round(bottom - plotTop - (isLarge ? AXIS_HEIGHT : 0));
  const drawn =
    height < PLOT_HEIGHT_MIN
      ? undefined
      : plotOf(context, usual, { width: box.width, height, edge, isLarge });
  return {
    texts: [
      ...about.texts,
      ...values.texts,
      ...stack(credit, { ...column, top: bottom + ROW_GAP }).texts,
    ],
    legend,
    /** As markup. */
    plot: drawn?.plot && plotMarkup(drawn.plot).text,
    origin: drawn && { x: drawn.left.toFixed(1), y: plotTop.toFixed(1) },
  };
}

type Column = Readonly<Record<'x' | 'width' | 'top', number>>;

/** Rows below each other, and where the next one would begin. */
function stack(rows: readonly Row[], { x, top }: Omit<Column, 'width'>, more = '') {
  let bottom = top;
  const texts = rows.map(({ name, text }) => {
    bottom += SIZES[name] + ROW_GAP;
    return { class: `${name}${more}`, x: x.toFixed(1), y: (bottom - ROW_GAP).toFixed(1), text };
  });
  return { texts, bottom };
}

/** A sample of the band of what is usual, and its name. */
function legendOf({ longest, texts, format }: PictureContext, { x, width, top }: Column) {
  const coverage = longest && coverageOf(longest.points, { texts, format });
  const forms = [texts('usual-band', { coverage: coverage ?? '' }), texts('picture-band')];
  const y = top + LEGEND_ROW;
  return {
    x: (x + 34).toFixed(1),
    y: y.toFixed(1),
    text: fitForms(forms, { width: width - 34, fontSize: SIZES.soft, lines: 1 })[0],
    sample: `M${x},${y}m0,-10h26v10h-26z`,
  };
}

/** What is usual at the station, where it is drawn alone; undefined where nobody knows. */
function usualOf({ longest, compared, series, format }: PictureContext) {
  const { component, interval } = series;
  if (longest === undefined || compared.length > 0 || isDirection(component)) return undefined;
  const usual = usualRanges(longest, format);
  return usual.some(Boolean) ? usualIn(interval, usual, format) : undefined;
}

/** With axes the labels of the vertical one, and the name of the clock below them, decide where the plot begins. */
function plotOf(
  { portal, series, compared, texts, format }: PictureContext,
  usual: UsualRanges | undefined,
  { width, height, edge, isLarge }: Box & { readonly edge: number },
) {
  const { component } = series;
  const drawn = (plotWidth: number) =>
    viewPlot({
      ...plotLines([series, ...compared], { scale: colorScale(portal, component), texts }),
      usual,
      format,
      compass: isDirection(component) ? compassOf(texts) : undefined,
      size: { width: plotWidth, height },
    });
  const draft = drawn(width - 2 * edge);
  if (draft === undefined) return undefined;
  if (!isLarge) {
    const bare = { axes: '', rules: [], bands: [], zone: '' };
    const series = draft.series.map((line) => ({ ...line, label: undefined }));
    return { plot: { ...draft, ...bare, series }, left: edge };
  }
  const labels = [...draft.rules.map(({ label }) => label), draft.zone];
  const left = edge + 10 + Math.max(...labels.map((label) => estimatedWidth(label, SIZES.soft)));
  const right = edge + (compared.length === 0 ? 8 : NAMES_WIDTH);
  return { plot: drawn(Math.max(Math.round(width - left - right), 20)), left };
}

/** The newest hour with a value, and the values of all lines then, in their order: a dash where one has none. */
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
