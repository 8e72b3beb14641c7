/** Compares pages with the figures that they must show, as a reader sees them: markup, language, tables and sentences. */
import { inlineCode, invalidMarkup, unescapeHtml } from '../support/readers/html.js';
import { fieldOf, type Answer } from '../support/service/connection.js';
import type { Figures, Day, Hours, Point } from './figures.js';
import { HOUR_MS } from './network.js';
import type { PageAsked } from './page-request.js';

interface Shown {
  readonly asked: PageAsked;
  readonly figures: Figures;
  readonly html: string;
}

class Difference extends Error {}

/** @returns the first difference of an answer from what the page must show; undefined where it is right. */
export async function pageDifference(
  asked: PageAsked,
  answer: Answer,
  of: { readonly figures: Figures; readonly snapshotId: string },
): Promise<string | undefined> {
  const { figures, snapshotId } = of;
  const html = answer.body.toString();
  try {
    same(answer.status, statusOf(asked, figures), 'status');
    const isHtml = fieldOf(answer, 'content-type')?.startsWith('text/html') === true;
    if (isHtml) checkMarkup(html, asked, answer);
    if (answer.status !== 200) return undefined;
    if (asked.page !== 'words') same(fieldOf(answer, 'x-snapshot-id'), snapshotId, 'snapshot');
    await CHECKS[asked.page]?.({ asked, html, figures });
    return undefined;
  } catch (error) {
    if (error instanceof Difference) return error.message;
    throw error;
  }
}

const CHECKS: Partial<Record<PageAsked['page'], (shown: Shown) => Promise<void>>> = {
  start: checkStart,
  panel: checkPanel,
  overview: checkOverview,
  week: checkWeek,
};

function statusOf(asked: PageAsked, figures: Figures): number {
  const { page, language, stationId, componentId } = asked;
  switch (page) {
    case 'chart':
      return figures.component(componentId) && figures.station(stationId) ? 200 : 404;
    // Nothing is archived.
    case 'years':
    case 'unknown':
      return 404;
    default:
      return language === undefined ? 422 : 200;
  }
}

const VOID = new Set(['meta', 'link', 'img', 'input', 'br', 'hr', 'source', 'wbr', 'col']);

function checkMarkup(html: string, { language, page }: PageAsked, answer: Answer): void {
  same(
    inlineCode(html.replaceAll(/="(?!application\/ld)[^"<>]*"/g, '=""')) ?? '',
    '',
    'inline code',
  );
  same(invalidMarkup(html), [], 'markup');
  const open: string[] = [];
  const tags = html.matchAll(/<(\/?)([a-z][a-z0-9-]*)((?:[^>"]|"[^"]*")*)>/gi);
  for (const [tag, end, name = '', rest = ''] of tags) {
    if (end === '/') same(open.pop(), name, `the element that ${tag} ends`);
    else if (!VOID.has(name) && !rest.endsWith('/')) open.push(name);
  }
  same(open, [], 'open elements');
  // A page that is not found is in the language of its address too.
  same(fieldOf(answer, 'content-language'), language, 'Content-Language');
  if (page !== 'panel') same(/<html[^>]* lang="([^"]*)"/.exec(html)?.[1], language, 'language');
}

async function checkOverview({ html, asked, figures }: Shown): Promise<void> {
  const rows = rowsIn(html, /<table class="overview">.*?<\/table>/s);
  const ids = rows.map(([head]) => Number(head?.link.get('station_id')));
  if (figures.stations.length === 0 || !html.includes('<table')) return;
  same(ids.toSorted(), figures.stations.map((one) => one['station_id']).toSorted(), 'stations');
  const values = await figures.newest(figures.dayMs);
  const newest = new Map(values.map((one) => [`${one.stationId} ${one.componentId}`, one]));
  const cells = rows.flatMap((row) => row.slice(1).filter(({ link }) => link.size > 0));
  same(cells.map(idsIn).toSorted(), [...newest.keys()].toSorted(), 'values');
  for (const cell of cells) {
    const want = newest.get(idsIn(cell));
    if (want === undefined) continue;
    checkNumber(numberIn(linkText(cell), asked), want.value, `value of ${idsIn(cell)}`);
    const isLate = values.some(
      (one) => one.componentId === want.componentId && one.startMs > want.startMs,
    );
    same(cell.timeMs, isLate ? want.startMs : undefined, `late hour of ${idsIn(cell)}`);
  }
  const { sortId } = asked;
  const isSorted = sortId !== undefined && figures.component(sortId) !== undefined;
  if (!isSorted || figures.isDirection(sortId)) return;
  const order = ids.map((id) => newest.get(`${id} ${sortId}`)?.value ?? -Infinity);
  same(
    order,
    order.toSorted((a, b) => b - a),
    'order',
  );
}

async function checkStart({ html, asked, figures }: Shown): Promise<void> {
  const { componentId, hourMs } = asked;
  if (figures.component(componentId) === undefined || figures.stations.length === 0) return;
  const hour = asked.path === '/' ? undefined : hourMs;
  // An older value has a time, and no number.
  const known = (await figures.newest(0, hour)).filter((one) => one.componentId === componentId);
  const newest = known.filter((one) => hour !== undefined || one.startMs >= figures.dayMs);
  const rows = rowsIn(html, /<table class="stations">.*?<\/table>/s);
  // One row is the head of the stations that do not measure the component.
  const ofStations = rows.filter(([head]) => head?.link.has('station_id'));
  const shown = new Map(ofStations.map((row) => [Number(row[0]?.link.get('station_id')), row]));
  const ids = [...shown.keys()];
  same(ids.toSorted(), figures.stations.map((one) => one['station_id']).toSorted(), 'stations');
  for (const id of ids) {
    const [, , value, time] = shown.get(id) ?? [];
    const want = newest.find((one) => one.stationId === id);
    same(time?.timeMs, known.find((one) => one.stationId === id)?.startMs, `hour of ${id}`);
    if (want !== undefined)
      checkNumber(numberIn(value?.text ?? '', asked), want.value, `value of ${id}`);
  }
  if (figures.isDirection(componentId) || newest.length === 0) return;
  const lastMs = Math.max(...newest.map((one) => one.startMs));
  const values = newest
    .flatMap((one) => (one.startMs === lastMs ? one.value : []))
    .toSorted((a, b) => a - b);
  const summary = partOf(html, /<dl class="summary">.*?<\/dl>/s);
  const said = [...summary.matchAll(/<b>(.*?)<\/b>/g)].map(([, text = '']) =>
    numberIn(text, asked),
  );
  const middle = values.length / 2;
  const median = ((values[Math.ceil(middle) - 1] ?? NaN) + (values[Math.floor(middle)] ?? NaN)) / 2;
  // An only value is said once.
  const want = said.length === 1 ? [values[0]] : [values.at(-1), median, values[0]];
  for (const [at, value = NaN] of want.entries()) {
    checkNumber(said[at] ?? NaN, value, `summary ${at}`);
  }
}

async function checkPanel(shown: Shown): Promise<void> {
  const { html, asked, figures } = shown;
  const { stationId, componentId } = asked;
  const isOpen = html.includes('id="station-name"');
  // Without any component there is nothing to open.
  const canOpen = figures.components.length > 0 && figures.station(stationId) !== undefined;
  same(isOpen, canOpen, 'whether a station is open');
  const isShown = figures.component(componentId) && figures.isMeasured(stationId, componentId);
  if (!isOpen || isShown !== true) return;
  // Without a window of days there is no box of the newest value.
  const all = figures.longest && (await figures.points({ stationId, componentId }));
  const newest = all?.at(-1);
  const box = cellOf(partOf(html, /<p class="value-hour">.*?<\/p>/s));
  same(box.timeMs, newest?.startMs, 'hour of the newest value');
  if (newest !== undefined) {
    const text = textOf(partOf(html, /<p class="newest-value.*?<\/p>/s));
    checkNumber(numberIn(text, asked), newest.value, 'newest value');
  }
  await checkCards(shown);
  const { fromMs, toMs } = asked;
  const window = figures.windowOf(asked.window);
  const isFixed = fromMs !== undefined && toMs !== undefined;
  const hours = isFixed ? figures.held(fromMs, toMs) : figures.interval(window);
  if (isFixed || window !== '1h') await checkLines(shown, hours);
  if (figures.longest !== undefined) {
    const days = await figures.days([stationId], componentId, figures.longest);
    checkDayTable(shown, days);
  }
}

async function checkCards({ html, asked, figures }: Shown): Promise<void> {
  const list = partOf(html, /<ul class="cards">.*?<\/ul>/s);
  for (const [, item = ''] of list.matchAll(/<li>(.*?)<\/li>/gs)) {
    const card = cellOf(item);
    const id = Number(card.link.get('component_id'));
    const newest = (await figures.points({ stationId: asked.stationId, componentId: id })).at(-1);
    same(card.timeMs, newest?.startMs, `hour of card ${id}`);
    const value = textOf(partOf(item, /<span class="card-value.*?(?=<span class="card-time)/s));
    if (newest !== undefined) checkNumber(numberIn(value, asked), newest.value, `card ${id}`);
  }
}

/** The table below the chart and the sentence about each line. */
async function checkLines(shown: Shown, hours: Hours): Promise<void> {
  const { html, asked, figures } = shown;
  const { stationId, componentId, compare } = asked;
  const others = compare.filter((id) => id !== stationId && figures.station(id) !== undefined);
  const lines: (readonly Point[])[] = [];
  for (const id of [stationId, ...others]) {
    lines.push(await figures.points({ stationId: id, componentId }, hours));
  }
  const starts = [...new Set(lines.flat().map(({ startMs }) => startMs))].toSorted((a, b) => b - a);
  const table = partOf(html, /<details class="values">.*?<\/details>/s);
  const listed = [...table.matchAll(/<tr data-h="([\d.]+)"/g)].map(([, hour]) => Number(hour));
  const listedMs = listed.map((hour) => hour * HOUR_MS);
  same(listedMs, starts, 'hours of the table');
  const rows = rowsIn(table, /<table>.*<\/table>/s);
  for (const [at, startMs] of starts.entries()) {
    for (const [column, line] of lines.entries()) {
      const want = line.find((one) => one.startMs === startMs);
      const text = rows[at]?.[2 + column]?.text ?? '';
      if (want === undefined) same(/\d/.test(text), false, `no value at ${startMs}`);
      else checkNumber(numberIn(text, asked), want.value, `value at ${startMs}`);
    }
  }
  const says = partOf(html, /<div class="chart-says">.*?<\/div>/s);
  if (figures.isDirection(componentId)) return;
  const sentences = [...says.matchAll(/<p>(.*?)<\/p>/gs)]
    .map(([, sentence = '']) => sentence)
    .filter((sentence) => sentence.split('; ').length > 2);
  for (const [at, line] of lines.filter(({ length }) => length > 0).entries()) {
    checkSentence(sentences[at] ?? '', line, { ...shown, hours });
  }
}

/** Lowest, mean and highest value with the hours of the extremes, and the number of hours without a value. */
function checkSentence(
  html: string,
  line: readonly Point[],
  { asked, figures, hours }: Shown & { readonly hours: Hours },
): void {
  const text = textOf(html.replace(/^.*<\/b>: /s, ''));
  const values = line.map(({ value }) => value);
  const [lowest, highest] = [Math.min(...values), Math.max(...values)];
  const mean = figures.aggregateOf(asked.componentId, values);
  const parts = text.split('; ');
  for (const [at, value] of [lowest, mean, highest].entries()) {
    const part = parts[at] ?? '';
    const noise = Math.max(...values.map(Math.abs)) * 1e-15 * values.length;
    if (value !== mean || Math.abs(mean) > noise) {
      checkNumber(numberIn(part, asked), value, `"${part}" of "${text}"`, at === 1 ? 1 : 9);
    }
    if (at === 1) continue;
    const first = line.find((one) => one.value === value);
    const time = figures.clockTime(first?.startMs ?? NaN);
    check(part.includes(time), `hour of "${part}" is ${time}`);
  }
  const all = hours[1] - hours[0];
  const gaps = (parts[3] ?? '').match(/\d[\d.,]*/g)?.map((one) => numberIn(one, asked));
  same(gaps ?? [], all === line.length ? [] : [all - line.length, all], `gaps of "${text}"`);
}

function checkDayTable({ html, asked, figures }: Shown, days: readonly Day[]): void {
  const table = partOf(html, /<details class="days">.*?<\/details>/s);
  if (table === '' || figures.isDirection(asked.componentId)) return;
  const rows = rowsIn(table, /<table>.*<\/table>/s);
  const want = days.toReversed();
  same(
    rows.map(([head]) => /datetime="([^"]*)"/.exec(head?.html ?? '')?.[1]),
    want.map(({ date }) => date),
    'days',
  );
  for (const [at, day] of want.entries()) {
    const [, mean, lowest, highest, count] = rows[at] ?? [];
    same(count?.text, `${day.count} / ${day.hours}`, `hours of ${day.date}`);
    const aggregate = day.sum ?? day.mean;
    if (aggregate === null || day.lowest === null || day.highest === null) continue;
    checkNumber(numberIn(mean?.text ?? '', asked), aggregate, `mean of ${day.date}`, 1);
    checkNumber(numberIn(lowest?.text ?? '', asked), day.lowest, `lowest of ${day.date}`);
    checkNumber(numberIn(highest?.text ?? '', asked), day.highest, `highest of ${day.date}`);
  }
}

async function checkWeek({ html, asked, figures }: Shown): Promise<void> {
  const { componentId } = asked;
  if (figures.component(componentId) === undefined || figures.isDirection(componentId)) return;
  const ids = figures.longest === undefined ? [] : figures.measuring(componentId);
  const rows = rowsIn(html, /<table class="overview">.*?<\/table>/s);
  const shown = rows.map(([head]) => Number(head?.link.get('station_id')));
  same(shown.toSorted(), ids.toSorted(), 'stations');
  const days = await figures.week(componentId);
  for (const [head, , ...cells] of rows) {
    const own = days.filter((one) => `${one.stationId}` === head?.link.get('station_id'));
    same(cells.length, own.length, 'days');
    for (const [at, day] of own.entries()) {
      const cell = cells[at];
      const value = asked.figure === 'mean' ? (day.sum ?? day.mean) : day.highest;
      const what = `${day.date} at ${day.stationId}`;
      same(cell?.link.has('from') ?? false, value !== null, `whether there is a value on ${what}`);
      if (cell === undefined || value === null) continue;
      checkNumber(numberIn(linkText(cell), asked), value, what, asked.figure === 'mean' ? 1 : 9);
      const time = figures.clockTime(day.highestMs ?? NaN);
      check(cell.text.includes(time), `highest hour of ${what}: ${cell.text}`);
    }
  }
}

function check(isRight: boolean, what: string): asserts isRight {
  if (!isRight) throw new Difference(what);
}

function same(got: unknown, want: unknown, what: string): void {
  const [a, b] = [got, want].map((one) => JSON.stringify(one));
  check(a === b, `${what}: ${a?.slice(0, 500)}, expected ${b?.slice(0, 500)}`);
}

function partOf(html: string, pattern: RegExp): string {
  return pattern.exec(html)?.[0] ?? '';
}

/** The first number of a text, in the notation of a language; NaN without one. */
function numberIn(text: string, { language }: PageAsked): number {
  const [group, point] = language === 'en' ? [',', '.'] : ['.', ','];
  const found = /-?\d[\d.,]*(?:E-?\d+)?/.exec(text)?.[0].replace(/[.,]$/, '') ?? 'none';
  return Number(found.replaceAll(group, '').replace(point, '.'));
}

/** Digits of pages: three decimals below 1, two below 10, else one; small ones have two digits, large ones a power. */
function checkNumber(shown: number, value: number, what: string, decimals = 9): void {
  const size = Math.abs(value);
  const digits = size >= 10 ? 0.05 : size >= 1 ? 0.005 : Math.min(0.0005, size / 18);
  const large = size >= 1e9 ? size * 0.0051 : size >= 1e6 ? 0.5 : 0;
  const tolerance = Math.max(digits, large, 0.5 / 10 ** decimals) * 1.001;
  const isSame = Math.abs(shown - value) <= tolerance && (shown === 0) === (value === 0);
  check(isSame, `${what}: ${shown}, expected ${value}`);
}

type Cell = ReturnType<typeof cellOf>;

/** With the parameters of the first link, and the time of the first `<time>`. */
function cellOf(html: string) {
  const href = unescapeHtml(/<a [^>]*href="([^"]*)"/.exec(html)?.[1] ?? '');
  const time = /datetime="([^"]*)"/.exec(html)?.[1];
  return {
    html,
    text: textOf(html),
    link: new URLSearchParams(href.split('#')[0]?.split('?')[1]),
    timeMs: time === undefined ? undefined : Date.parse(time),
  };
}

function textOf(html: string): string {
  return unescapeHtml(html.replaceAll(/<[^>]*>/g, ''))
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** Cells of the rows below the head of the first table that a pattern finds. */
function rowsIn(html: string, table: RegExp): readonly (readonly Cell[])[] {
  const body = partOf(html, table).replace(/<thead>.*?<\/thead>/s, '');
  return [...body.matchAll(/<tr[^>]*>(.*?)<\/tr>/gs)].map(([, row = '']) =>
    [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs)].map(([, cell = '']) => cellOf(cell)),
  );
}

function idsIn({ link }: Cell): string {
  return `${link.get('station_id')} ${link.get('component_id')}`;
}

/** The text of the link alone: a time follows it. */
function linkText({ html }: Cell): string {
  return textOf(/<a [^>]*>(.*?)<\/a>/s.exec(html)?.[1] ?? '');
}
