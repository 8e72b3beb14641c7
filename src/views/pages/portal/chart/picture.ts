/**
 * The chart of one component as a picture for other people's pages and reports: everything that it needs is in it.
 *
 * It is laid out in a box of its own and scaled to the size that was asked for, so that its text is neither tiny in a
 * large picture nor cut in a small one; where there is little room, axes and details give way first.
 */
import { HOUR_MS } from '../../../../snapshot/domain/windows.js';
import { statedOperator } from '../../../../texts/operator.js';
import type { Messages } from '../../../../texts/messages.js';
import { messagesOf, type Language } from '../../../../texts/texts.js';
import { licenseName, operatorName } from '../../../operator.js';
import type { ChartRequest, PageStyle } from '../../page.js';
import { colorScale } from '../color-scale.js';
import { formattersFor, type Formatters } from '../formatters.js';
import { periodOf } from '../freshness.js';
import { prettyUnit } from '../notation.js';
import {
  maxOf,
  type Portal,
  type PortalComponent,
  type PortalStation,
  type StationSeries,
} from '../portal-model.js';
import { nameOf } from '../station-panel.js';
import { seriesSummary } from '../statistics.js';
import { usualRanges } from '../usual.js';
import { compassOf, isDirection, sectorOf } from './direction.js';
import { PICTURE_STYLES } from './picture-style.js';
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
const SCALE_MIN = 0.8;
const SCALE_MAX = 2.4;

/** Below these the picture has no axes. */
const DETAILED = { width: 280, height: 170 };

const EDGE = 14;
const CREDIT_SIZE = 11;

/** Context of `templates/chart.liquid`, as `page`. */
export function viewPicture(options: PictureOptions) {
  const { request, style, portal, component, series, compared } = options;
  const texts = messagesOf(style.language, 'portal');
  const format = formattersFor(style.language, options.timeZone);
  // Text smaller than its own size is hard to read: a narrow picture has less beside it instead.
  const hasRoom = request.width >= DETAILED.width && request.height >= DETAILED.height;
  const scale = Math.min(
    Math.max(
      Math.min(request.width / NATURAL.width, request.height / NATURAL.height),
      hasRoom ? 1 : SCALE_MIN,
    ),
    SCALE_MAX,
  );
  const box = { width: request.width / scale, height: request.height / scale };
  const name = nameOf(component, texts);
  const unit = prettyUnit(component.unit);
  const stations = [series, ...(compared ? [compared] : [])];
  const names = stations.map(({ station }) => station.name).join(' / ');
  const title = texts('chart-label', {
    component: name.label,
    station: names,
    window: texts(`window-${request.window}`),
  });
  const credit = texts('picture-credit', {
    operator: operatorName(style.language, portal.operators[0]) ?? texts('title'),
    snapshot: format.fullMoment(portal.header.generatedAtMs).text,
    license: creditLicense(style.language),
  }).trimEnd();
  const labels = {
    notice: noticeOf(options, format, texts),
    stations: names,
    component: unit === '' ? name.label : `${name.label} (${unit})`,
    period: texts('picture-period', {
      window: texts(`window-${request.window}`),
      until: format.fullMoment(series.interval.to * HOUR_MS).text,
      zone: options.timeZone,
    }),
    credit,
    noPoints: texts('no-points'),
    ...newestOf(options, stations, { format, compass: compassOf(texts) }),
  };
  const isDetailed = box.width >= DETAILED.width && box.height >= DETAILED.height;
  const drawing = (isDetailed ? detailed : compact)(options, box, labels);
  const summaries = stations.map(
    (one) => `${one.station.name}: ${seriesSummary(one, { component, texts, format })}`,
  );
  return {
    width: request.width,
    height: request.height,
    language: style.language,
    box: { width: Number(box.width.toFixed(2)), height: Number(box.height.toFixed(2)) },
    title,
    style: PICTURE_STYLES[style.theme ?? 'light'],
    about: [
      ...(labels.notice === undefined ? [] : [`${labels.notice}.`]),
      ...[`${labels.component}, ${labels.period}.`, ...summaries, credit],
    ].join(' '),
    ...drawing,
  };
}

/** The licence in the line of a picture's source; empty where the operator states none. */
function creditLicense(language: Language): string {
  if (statedOperator() === undefined) return messagesOf(language, 'portal')('picture-license');
  const name = licenseName(language);
  return name === undefined ? '' : `${name}.`;
}

/** That the data are of a past time, on purpose or not; undefined of current data. */
function noticeOf(
  { request, portal }: PictureOptions,
  format: Formatters,
  texts: Messages,
): string | undefined {
  if (portal.header.demonstration === true) {
    return texts('demonstration', { period: periodOf(portal.header, format) });
  }
  return request.isOld ? texts('picture-old') : undefined;
}

/** Texts of a picture; `now` are the last values with their unit, and `hour` is that of the last one. */
type Labels = Readonly<
  Record<'stations' | 'component' | 'period' | 'credit' | 'noPoints' | 'now', string>
> &
  Readonly<Record<'hour' | 'notice', string | undefined>>;

interface Box {
  readonly width: number;
  readonly height: number;
}

/** Station, period, legend, axes and source. */
function detailed(options: PictureOptions, box: Box, labels: Labels) {
  const { series, compared } = options;
  const width = box.width - 2 * EDGE;
  const credit = wrapText(labels.credit, { width, fontSize: CREDIT_SIZE, lines: 2 });
  const head = compared === undefined ? series.station.name : labels.component;
  const below = compared === undefined ? `${labels.component} · ${labels.period}` : labels.period;
  const noticeHeight = labels.notice === undefined ? 0 : NOTICE_ROW;
  const legend = compared === undefined ? [] : legendOf(options, box, 66 + noticeHeight);
  const legendRows = new Set(legend.map(({ y }) => y)).size;
  const top = 62 + noticeHeight + (legendRows > 0 ? legendRows * LEGEND_ROW + 4 : 0);
  const bottom = box.height - 10 - credit.length * 14 - 34;
  const { plot, left } = plotOf(options, { box, top, bottom });
  return {
    texts: [
      textAt('head', EDGE, 26, fitText(head, width, 16)),
      textAt('soft', EDGE, 44, fitText(below, width, 12)),
      ...(labels.notice === undefined
        ? []
        : [textAt('notice', EDGE, 44 + NOTICE_ROW, fitText(labels.notice, width, 12))]),
      ...credit.map((line, index) =>
        textAt('credit', EDGE, box.height - 10 - (credit.length - 1 - index) * 14, line),
      ),
      ...(plot === undefined ? insteadOfPlot(labels, { width, middle: (top + bottom) / 2 }) : []),
    ],
    legend,
    plot,
    origin: plot && { x: left.toFixed(1), y: top.toFixed(1) },
  };
}

/** One hour is a number with its hour; without a value the picture says so. */
function insteadOfPlot(
  { now, hour, noPoints }: Labels,
  { width, middle }: { readonly width: number; readonly middle: number },
) {
  const x = EDGE + width / 2;
  if (hour === undefined) {
    return wrapText(noPoints, { width, fontSize: 12, lines: 2 }).map((line, index) =>
      textAt('none', x, middle + index * 16, line),
    );
  }
  return [
    textAt('now none', x, middle, fitText(now, width, 20)),
    textAt('none', x, middle + 20, fitText(hour, width, 12)),
  ];
}

/** The last value with its hour, the course without axes, and whose data they are. */
function compact(options: PictureOptions, box: Box, labels: Labels) {
  const edge = 8;
  const width = box.width - 2 * edge;
  const foot = labels.notice === undefined ? 92 : 92 + NOTICE_ROW;
  const height = Math.min(Math.max(box.height - foot, 20), 1.5 * width);
  const size = { width, height };
  const full = viewPlot(plotOptions(options, size));
  const plot = full && { ...full, axes: '', rules: [], bands: [], zone: undefined };
  return {
    texts: [
      textAt('name', edge, 17, fitText(labels.component, width, 12)),
      textAt('now', edge, 38, fitText(labels.now, width, 20)),
      textAt('credit', edge, 53, fitText(labels.hour ?? '', width, CREDIT_SIZE)),
      textAt('credit', edge, 67, fitText(labels.stations, width, CREDIT_SIZE)),
      ...(labels.notice === undefined
        ? []
        : [textAt('notice', edge, box.height - 20, fitText(labels.notice, width, CREDIT_SIZE))]),
      textAt('credit', edge, box.height - 6, fitText(labels.credit, width, CREDIT_SIZE)),
    ],
    legend: [],
    plot: plot && { ...plot, series: plot.series.map((one) => ({ ...one, endY: undefined })) },
    origin: plot && { x: edge.toFixed(1), y: '72' },
  };
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

/** The labels of the vertical axis, and the name of the clock below them, decide where the plot begins. */
function plotOf(
  options: PictureOptions,
  { box, top, bottom }: { readonly box: Box; readonly top: number; readonly bottom: number },
) {
  const height = Math.max(Math.round(bottom - top), 20);
  const right = options.compared === undefined ? EDGE + 8 : EDGE + 18;
  const draft = viewPlot(plotOptions(options, { width: box.width, height }));
  const labels = [...(draft?.rules.map(({ label }) => label) ?? []), draft?.zone ?? ''];
  const left = EDGE + 10 + Math.max(...labels.map((label) => estimatedWidth(label, 12)));
  const width = Math.max(Math.round(box.width - left - right), 20);
  return { plot: viewPlot(plotOptions(options, { width, height })), left };
}

const LEGEND_ROW = 18;
const NOTICE_ROW = 16;

/** Letter, line and name of each station: beside each other where there is room. */
function legendOf({ series, compared, component }: PictureOptions, box: Box, legendTop: number) {
  const stations = [series.station, ...(compared ? [compared.station] : [])];
  const width = box.width - 2 * EDGE;
  const isBeside = stations.every(({ name }) => estimatedWidth(name, 12) + 60 <= width / 2);
  return stations.map(({ name }: PortalStation, index) => {
    const x = EDGE + (isBeside ? (index * width) / 2 : 0);
    const y = legendTop + (isBeside ? 0 : index * LEGEND_ROW);
    const dots = isDirection(component);
    return {
      letter: index === 0 ? 'A' : 'B',
      x: x.toFixed(1),
      y: y.toFixed(1),
      textX: (x + 50).toFixed(1),
      dots,
      text: fitText(name, (isBeside ? width / 2 : width) - 50, 12),
      /** Path of a piece of the line, or of two dots. */
      sample: dots
        ? `M${(x + 22).toFixed(1)},${y - 4}h0m12,0h0`
        : `M${(x + 16).toFixed(1)},${y - 4}h26`,
    };
  });
}

/** The newest hour with a value, and the value of each station then: a dash where it has none. */
function newestOf(
  { component }: PictureOptions,
  stations: readonly StationSeries[],
  { format, compass }: { readonly format: Formatters; readonly compass: readonly string[] },
): Pick<Labels, 'now' | 'hour'> {
  const newest = stations.map(({ points }) => points.at(-1));
  const hour = maxOf(newest.flatMap((point) => point?.hour ?? []));
  const values = newest.map((point) => {
    if (point?.hour !== hour) return '–';
    return isDirection(component)
      ? (compass[sectorOf(point.value)] ?? '')
      : format.number(point.value);
  });
  const unit = isDirection(component) ? '' : prettyUnit(component.unit);
  return {
    now:
      values.length === 1
        ? `${values[0] ?? ''} ${unit}`.trim()
        : values.map((one, at) => `${'AB'[at] ?? ''} ${one}`).join(' · '),
    hour: Number.isFinite(hour) ? format.hourSpan(hour).text : undefined,
  };
}

function textAt(name: string, x: number, y: number, text: string) {
  return { class: name, x: x.toFixed(1), y: y.toFixed(1), text };
}
