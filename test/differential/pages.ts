/** Compares pages with the figures that they must show, as a reader sees them: markup, language, tables and sentences. */
import { inlineCode, invalidMarkup } from '../support/readers/html.js';
import { fieldOf, type Answer } from '../support/service/connection.js';
import { HOUR_MS } from './network.js';
import type { Oracle } from './oracle.js';
import { PageFigures, type Day, type Point } from './page-figures.js';
import {
  cellOf,
  check,
  checkNumber,
  Difference,
  idsIn,
  linkText,
  numberIn,
  rowsIn,
  same,
  textOf,
} from './page-reader.js';
import type { PageAsked } from './page-request.js';

interface Source {
  readonly oracle: Oracle;
  readonly snapshotId: string;
  /** The clock of the service. */
  readonly timeZone: string;
  readonly ask: (target: string, fields?: PageAsked['fields']) => Promise<Answer>;
}

interface Shown extends Source {
  readonly asked: PageAsked;
  readonly html: string;
  readonly figures: PageFigures;
}

/** Requests a page. @returns the first difference from what it must show; undefined where it is right. */
export async function pageDifference(
  asked: PageAsked,
  source: Source,
): Promise<string | undefined> {
  const answer = await source.ask(asked.path, asked.fields);
  const figures = new PageFigures(source.oracle, source.timeZone);
  const html = answer.body.toString();
  try {
    same(answer.status, statusOf(asked, figures), 'status');
    const isHtml = fieldOf(answer, 'content-type')?.startsWith('text/html') === true;
    if (isHtml) checkMarkup(html, asked, answer);
    if (answer.status !== 200) return undefined;
    if (asked.page !== 'words')
      same(fieldOf(answer, 'x-snapshot-id'), source.snapshotId, 'snapshot');
    await CHECKS[asked.page]?.({ ...source, asked, html, figures });
  } catch (error) {
    if (error instanceof Difference) return error.message;
    throw error;
  }
  return undefined;
}

const CHECKS: Partial<Record<PageAsked['page'], (shown: Shown) => Promise<void>>> = {
  start: checkStart,
  panel: checkPanel,
  overview: checkOverview,
  week: checkWeek,
};

function statusOf({ page, language, ...ids }: PageAsked, figures: PageFigures): number {
  const { stationId, componentId } = ids;
  const hasComponent = figures.component(componentId) !== undefined;
  switch (page) {
    case 'chart':
      return hasComponent && figures.station(stationId) !== undefined ? 200 : 404;
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
  same(inlineCode(html.replaceAll(/="[^"<>]*"/g, '=""')) ?? '', '', 'inline code');
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
  const hasRows = figures.stations.length > 0 && html.includes('<table');
  if (!hasRows) return;
  same(ids.toSorted(), figures.stations.map((one) => one['station_id']).toSorted(), 'stations');
  const newest = new Map(
    (await figures.newest(figures.dayMs)).map((one) => [
      `${one.stationId} ${one.componentId}`,
      one,
    ]),
  );
  const cells = rows.flatMap((row) => row.slice(1).filter(({ link }) => link.size > 0));
  same(cells.map(idsIn).toSorted(), [...newest.keys()].toSorted(), 'values');
  for (const cell of cells) {
    const want = newest.get(idsIn(cell));
    if (want === undefined) continue;
    checkNumber(numberIn(linkText(cell), asked), want.value, `value of ${idsIn(cell)}`);
    const all = [...newest.values()].filter((one) => one.componentId === want.componentId);
    const isLate = all.some((one) => one.startMs > want.startMs);
    same(cell.timeMs, isLate ? want.startMs : undefined, `late hour of ${idsIn(cell)}`);
  }
  const { sortId } = asked;
  if (
    sortId === undefined ||
    figures.component(sortId) === undefined ||
    figures.isDirection(sortId)
  )
    return;
  checkOrder(ids.map((id) => newest.get(`${id} ${sortId}`)?.value ?? -Infinity));
}

function checkOrder(values: readonly number[]): void {
  check(
    values.every((value, at) => at === 0 || value <= (values[at - 1] ?? Infinity)),
    `order: ${values.join(', ')}`,
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
  const summary = /<dl class="summary">.*?<\/dl>/s.exec(html)?.[0] ?? '';
  const said = [...summary.matchAll(/<b>(.*?)<\/b>/g)].map(([, text = '']) =>
    numberIn(text, asked),
  );
  const middle = values.length / 2;
  const median = ((values[Math.ceil(middle) - 1] ?? NaN) + (values[Math.floor(middle)] ?? NaN)) / 2;
  const want = [values.at(-1), median, values[0]];
  const [one] = values;
  if (said.length === 1 && one !== undefined) checkNumber(said[0] ?? NaN, one, 'the only value');
  else
    want.forEach((value = NaN, at) => {
      checkNumber(said[at] ?? NaN, value, `summary ${at}`);
    });
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
  const box = cellOf(/<p class="value-hour">.*?<\/p>/s.exec(html)?.[0] ?? '');
  same(box.timeMs, newest?.startMs, 'hour of the newest value');
  if (newest !== undefined) {
    const text = textOf(/<p class="newest-value.*?<\/p>/s.exec(html)?.[0] ?? '');
    checkNumber(numberIn(text, asked), newest.value, 'newest value');
  }
  await checkCards(shown);
  const isFixed = asked.fromMs !== undefined && asked.toMs !== undefined;
  const window = figures.windowOf(asked.window);
  const hours = isFixed
    ? ([asked.fromMs / HOUR_MS, asked.toMs / HOUR_MS] as const)
    : figures.interval(window);
  if (isFixed || window !== '1h') await checkLines(shown, hours);
  if (figures.longest !== undefined) {
    const days = await figures.days([stationId], componentId, figures.longest);
    checkDayTable(shown, days);
  }
}

async function checkCards({ html, asked, figures }: Shown): Promise<void> {
  const list = /<ul class="cards">.*?<\/ul>/s.exec(html)?.[0] ?? '';
  for (const [, item = ''] of list.matchAll(/<li>(.*?)<\/li>/gs)) {
    const card = cellOf(item);
    const id = Number(card.link.get('component_id'));
    const newest = (await figures.points({ stationId: asked.stationId, componentId: id })).at(-1);
    same(card.timeMs, newest?.startMs, `hour of card ${id}`);
    const value = textOf(
      /<span class="card-value.*?(?=<span class="card-time)/s.exec(item)?.[0] ?? '',
    );
    if (newest !== undefined) checkNumber(numberIn(value, asked), newest.value, `card ${id}`);
  }
}

/** The table below the chart and the sentence about each line. */
async function checkLines(shown: Shown, hours: readonly [number, number]): Promise<void> {
  const { html, asked, figures } = shown;
  const { stationId, componentId, compare } = asked;
  const others = compare.filter((id) => id !== stationId && figures.station(id) !== undefined);
  const held = [
    Math.max(hours[0], figures.endHour - 720),
    Math.min(hours[1], figures.endHour),
  ] as const;
  const lines: (readonly Point[])[] = [];
  for (const id of [stationId, ...others]) {
    lines.push(await figures.points({ stationId: id, componentId }, held));
  }
  const starts = [...new Set(lines.flat().map(({ startMs }) => startMs))].toSorted((a, b) => b - a);
  const table = /<details class="values">.*?<\/details>/s.exec(html)?.[0] ?? '';
  same(
    [...table.matchAll(/<tr data-h="(\d+)"/g)].map(([, hour]) => Number(hour) * HOUR_MS),
    starts,
    'hours of the table',
  );
  const rows = rowsIn(table, /<table>.*<\/table>/s);
  for (const [at, startMs] of starts.entries()) {
    for (const [column, line] of lines.entries()) {
      const want = line.find((one) => one.startMs === startMs);
      const text = rows[at]?.[2 + column]?.text ?? '';
      if (want === undefined) same(/\d/.test(text), false, `no value at ${startMs}`);
      else checkNumber(numberIn(text, asked), want.value, `value at ${startMs}`);
    }
  }
  const says = /<div class="chart-says">.*?<\/div>/s.exec(html)?.[0] ?? '';
  if (figures.isDirection(componentId)) return;
  const sentences = [...says.matchAll(/<p>(.*?)<\/p>/gs)]
    .map(([, sentence = '']) => sentence)
    .filter((sentence) => sentence.split('; ').length > 2);
  for (const [at, line] of lines.filter(({ length }) => length > 0).entries()) {
    checkSentence(sentences[at] ?? '', line, { ...shown, hours: held });
  }
}

/** Lowest, mean and highest value with the hours of the extremes, and the number of hours without a value. */
function checkSentence(
  html: string,
  line: readonly Point[],
  { asked, figures, hours }: Shown & { readonly hours: readonly [number, number] },
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
    check(
      part.includes(figures.clockTime(first?.startMs ?? NaN)),
      `hour of "${part}" is ${first?.startMs}`,
    );
  }
  const all = hours[1] - hours[0];
  const gaps = (parts[3] ?? '').match(/\d[\d.,]*/g)?.map((one) => numberIn(one, asked));
  same(gaps ?? [], all === line.length ? [] : [all - line.length, all], `gaps of "${text}"`);
}

function checkDayTable({ html, asked, figures }: Shown, days: readonly Day[]): void {
  const table = /<details class="days">.*?<\/details>/s.exec(html)?.[0];
  if (table === undefined || figures.isDirection(asked.componentId)) return;
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
    if (day.aggregate === null || day.lowest === null || day.highest === null) continue;
    checkNumber(numberIn(mean?.text ?? '', asked), day.aggregate, `mean of ${day.date}`, 1);
    checkNumber(numberIn(lowest?.text ?? '', asked), day.lowest, `lowest of ${day.date}`);
    checkNumber(numberIn(highest?.text ?? '', asked), day.highest, `highest of ${day.date}`);
  }
}

function measuring({ figures, asked }: Shown): readonly number[] {
  const ids = figures.stations.map((one) => Number(one['station_id']));
  return ids.filter((id) => figures.isMeasured(id, asked.componentId));
}

async function checkWeek(shown: Shown): Promise<void> {
  const { html, asked, figures } = shown;
  const { componentId } = asked;
  if (figures.component(componentId) === undefined || figures.isDirection(componentId)) return;
  const ids = figures.longest === undefined ? [] : measuring(shown);
  const rows = rowsIn(html, /<table class="overview">.*?<\/table>/s);
  same(
    rows.map(([head]) => Number(head?.link.get('station_id'))).toSorted(),
    ids.toSorted(),
    'stations',
  );
  const days = await figures.week(ids, componentId);
  for (const [head, , ...cells] of rows) {
    const own = days.filter((one) => `${one.stationId}` === head?.link.get('station_id'));
    same(cells.length, own.length, 'days');
    for (const [at, day] of own.entries()) {
      const cell = cells[at];
      const value = asked.figure === 'mean' ? day.aggregate : day.highest;
      const what = `${day.date} at ${day.stationId}`;
      same(cell?.link.has('from') ?? false, value !== null, `whether there is a value on ${what}`);
      if (cell === undefined || value === null) continue;
      checkNumber(numberIn(linkText(cell), asked), value, what, asked.figure === 'mean' ? 1 : 9);
      check(
        cell.text.includes(figures.clockTime(day.highestMs)),
        `highest hour of ${what}: ${cell.text}`,
      );
    }
  }
}
