/** Styles inside a chart that is an image: it cannot load those of pages, and whoever embeds it has none for it. */
import type { Theme } from '../../page.js';

type PictureColors = Readonly<
  Record<'paper' | 'ink' | 'soft' | 'line' | 'gap' | 'first' | 'second', string>
>;

/** Those of `styles/site/tokens.css`. */
const COLORS: Readonly<Record<Theme, PictureColors>> = {
  light: {
    paper: '#ffffff',
    ink: '#182127',
    soft: '#4d5a62',
    line: '#dcd8cc',
    gap: '#eceae2',
    first: '#0b5871',
    second: '#a8481a',
  },
  dark: {
    paper: '#172025',
    ink: '#e9eef0',
    soft: '#a9b6bd',
    line: '#2b373d',
    gap: '#1f292f',
    first: '#84cbe2',
    second: '#f2a777',
  },
};

/** The classes of values from low to high, away from the paper: warm for pollutants, cool for weather. */
const BANDS: Readonly<Record<Theme, string>> = {
  light: bandsOf(
    ['#faebdd', '#f6b48f', '#f37651', '#d62b41', '#ad1759', '#5c1a4f'],
    ['#e3f4ea', '#9fdcc0', '#4bb3b2', '#347a9e', '#3f4f8f', '#35264c'],
  ),
  dark: bandsOf(
    ['#3b2236', '#6a2747', '#a03a4a', '#d4603f', '#f0a25a', '#fbe9b7'],
    ['#24304f', '#2b4f78', '#2f7596', '#45a0a6', '#86cbb4', '#dcf3e4'],
  ),
};

function bandsOf(warm: readonly string[], cool: readonly string[]): string {
  const rules = (name: string, colors: readonly string[]): readonly string[] =>
    colors.map((fill, at) => `.${name}${at}{fill:${fill}}`);
  return [...rules('c', warm), ...rules('m', cool)].join('');
}

/** CSS without quotes and signs that markup would have to escape: its hash is in the policy of the image. */
export const PICTURE_STYLES: Readonly<Record<Theme, string>> = {
  light: styleOf(COLORS.light) + BANDS.light,
  dark: styleOf(COLORS.dark) + BANDS.dark,
};

function styleOf({ paper, ink, soft, line, gap, first, second }: PictureColors): string {
  return [
    'text{font-family:system-ui,-apple-system,Roboto,Noto Sans,Liberation Sans,DejaVu Sans,sans-serif;',
    `font-size:12px;fill:${soft}}`,
    `.paper{fill:${paper}}.head{font-size:16px;font-weight:600;fill:${ink}}.name,.now{fill:${ink}}`,
    '.now{font-size:20px;font-weight:600}.credit{font-size:11px}.none{text-anchor:middle}',
    `.band-label{font-size:10px}.rule{stroke:${line}}.rule-label{text-anchor:end}.gap{fill:${gap}}`,
    `.tick line{stroke:${line};stroke-dasharray:1 4}`,
    `.notice{font-weight:600;fill:${ink}}.usual{fill:${ink};fill-opacity:.08}.area{fill:${first};fill-opacity:.1}.letter{font-weight:600;fill:${first}}.b .letter{fill:${second}}`,
    `.line,.dots,.arrow{fill:none;stroke:${first};stroke-width:2;stroke-linecap:round;stroke-linejoin:round}`,
    '.dense{stroke-width:1.25}.dots{stroke-width:5}.dots.dense{stroke-width:3}.arrow{stroke-width:1.75}',
    `.b .line,.b .dots,.b .arrow{stroke:${second}}.b .line{stroke-dasharray:5 4;stroke-linecap:butt}`,
    `.b .dots{stroke-linecap:square}.b .arrow{fill:${paper}}`,
  ].join('');
}
