/** Reads pages as their readers do: markup, tables and numbers. */
import { unescapeHtml } from '../support/readers/html.js';
import type { PageAsked } from './page-request.js';

export class Difference extends Error {}

export function check(isRight: boolean, what: string): asserts isRight {
  if (!isRight) throw new Difference(what);
}

export function same(got: unknown, want: unknown, what: string): void {
  const texts = [got, want].map((one) => JSON.stringify(one));
  check(
    texts[0] === texts[1],
    `${what}: ${texts[0]?.slice(0, 500)}, expected ${texts[1]?.slice(0, 500)}`,
  );
}

/** The first number of a text, in the notation of a language; NaN without one. */
export function numberIn(text: string, { language }: PageAsked): number {
  const [group, point] = language === 'en' ? [',', '.'] : ['.', ','];
  const found = /-?\d[\d.,]*(?:E-?\d+)?/.exec(text)?.[0].replace(/[.,]$/, '') ?? 'none';
  return Number(found.replaceAll(group, '').replace(point, '.'));
}

/** Digits of pages: three decimals below 1, two below 10, else one; small ones have two digits, large ones a power. */
export function checkNumber(shown: number, value: number, what: string, decimals = 9): void {
  const size = Math.abs(value);
  const digits = size >= 10 ? 0.05 : size >= 1 ? 0.005 : Math.min(0.0005, size / 18);
  const large = size >= 1e9 ? size * 0.0051 : size >= 1e6 ? 0.5 : 0;
  const tolerance = Math.max(digits, large, 0.5 / 10 ** decimals) * 1.001;
  const isSame = Math.abs(shown - value) <= tolerance && (shown === 0) === (value === 0);
  check(isSame, `${what}: ${shown}, expected ${value}`);
}

export interface Cell {
  readonly text: string;
  /** Parameters of the first link. */
  readonly link: URLSearchParams;
  /** Time of the first `<time>`, milliseconds since the epoch; undefined without one. */
  readonly timeMs: number | undefined;
  readonly html: string;
}

export function cellOf(html: string): Cell {
  const href = unescapeHtml(/<a [^>]*href="([^"]*)"/.exec(html)?.[1] ?? '');
  const time = /datetime="([^"]*)"/.exec(html)?.[1];
  return {
    html,
    text: textOf(html),
    link: new URLSearchParams(href.split('#')[0]?.split('?')[1]),
    timeMs: time === undefined ? undefined : Date.parse(time),
  };
}

export function textOf(html: string): string {
  return unescapeHtml(html.replaceAll(/<[^>]*>/g, ''))
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** Cells of the rows below the head of the first table that a pattern finds. */
export function rowsIn(html: string, table: RegExp): readonly (readonly Cell[])[] {
  const body = (table.exec(html)?.[0] ?? '').replace(/<thead>.*?<\/thead>/s, '');
  return [...body.matchAll(/<tr[^>]*>(.*?)<\/tr>/gs)].map(([, row = '']) =>
    [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs)].map(([, cell = '']) => cellOf(cell)),
  );
}

export function idsIn({ link }: Cell): string {
  return `${link.get('station_id')} ${link.get('component_id')}`;
}

/** The text of the link alone: a time follows it. */
export function linkText({ html }: Cell): string {
  return textOf(/<a [^>]*>(.*?)<\/a>/s.exec(html)?.[1] ?? '');
}
