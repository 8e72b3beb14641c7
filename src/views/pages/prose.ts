/** Renders pages of texts as HTML, without items, paragraphs, facts and sections whose placeholders have no value. */
import {
  PLACEHOLDER,
  textOf,
  type Block,
  type Line,
  type ProsePage,
} from '../../texts/markdown.js';
import { escapeMarkup } from '../xml.js';
import {
  DOCUMENTATION_PAGES,
  LEGAL_PAGES,
  pageLink,
  RECIPES_PATH,
  type PageStyle,
} from './page.js';

/** A value as text, for headings, links, strong text and code, and as HTML. */
export interface RichValue {
  readonly text: string;
  readonly html: string;
  /** Whether the value replaces a paragraph that has nothing but its placeholder. */
  readonly isBlock?: true;
}

/** Values by placeholder; undefined or absent if a placeholder has no value. */
export type PageValues = Readonly<Record<string, string | RichValue | undefined>>;

export function linkValue(to: string, text: string): RichValue {
  return { text, html: `<a href="${escapeMarkup(to)}">${escapeMarkup(text)}</a>` };
}

/** @param utc `YYYY-MM-DDTHH:MM:SSZ`. */
export function timeValue(text: string, utc: string): RichValue {
  return { text, html: `<time datetime="${utc}" title="${utc}">${escapeMarkup(text)}</time>` };
}

interface Options {
  /** Language and theme, which links keep. */
  readonly style: PageStyle;
  readonly values?: PageValues;
  /** Changes text and code. */
  readonly change?: (text: string) => string;
}

/** All members except `html` and the introduction are plain text. */
export function renderProse({ title, introduction, sections }: ProsePage, options: Options) {
  const lines = introduction.filter((line) => renderLine(line, options) !== undefined);
  return {
    title,
    /** Description for search engines. */
    description: fill(textOf(lines[0] ?? []), options, asText) ?? '',
    introduction: lines.flatMap((line) => renderLine(line, options) ?? []),
    sections: sections.flatMap(({ id, heading, blocks }) => {
      const text = fill(heading, options, asText);
      const html = blocks.flatMap((block) => renderBlock(block, options) ?? []);
      const isEmpty = html.length === 0 && blocks.length > 0;
      return text === undefined || isEmpty ? [] : [{ id, heading: text, html: html.join('\n') }];
    }),
  };
}

const ELEMENTS: Readonly<Record<Block['kind'], readonly [start: string, end: string]>> = {
  paragraph: ['<p>', '</p>'],
  note: ['<p class="note">', '</p>'],
  quote: ['<blockquote><p>', '</p></blockquote>'],
  list: ['<ul>\n', '</ul>'],
  facts: ['<dl class="facts">\n', '</dl>'],
  commands: ['<pre class="commands" tabindex="0"><code>', '</code></pre>'],
};

function renderBlock({ kind, items }: Block, options: Options): string | undefined {
  const [, name = ''] = /^\{\{\s*([\w-]+)\s*\}\}$/.exec(textOf(items[0]?.values[0] ?? [])) ?? [];
  const whole = options.values?.[name];
  if (kind === 'paragraph' && typeof whole === 'object' && whole.isBlock) return whole.html;
  const rendered = items.flatMap(({ term, values }) => {
    const [html] = values.flatMap((line) => renderLine(line, options) ?? []);
    if (html === undefined) return [];
    if (kind === 'list') return [`<li>${html}</li>\n`];
    if (kind !== 'facts') return [html];
    return [`<div><dt>${escapeMarkup(term)}</dt><dd>${html}</dd></div>\n`];
  });
  const [start, end] = ELEMENTS[kind];
  return rendered.length === 0 ? undefined : start + rendered.join('') + end;
}

/** A line as HTML; undefined if a placeholder has no value. */
export function renderLine(line: Line, options: Options): string | undefined {
  let show = asHtml;
  const parts = line.map((token) => {
    switch (token.type) {
      case 'link_open':
        show = asPlainHtml;
        return `<a href="${escapeMarkup(addressOf(String(token.attrGet('href')), options.style))}">`;
      case 'strong_open':
        show = asPlainHtml;
        return '<strong>';
      case 'link_close':
      case 'strong_close':
        show = asHtml;
        return token.type === 'link_close' ? '</a>' : '</strong>';
      case 'code_inline': {
        const code = fill(token.content, options, asPlainHtml);
        return code === undefined ? undefined : `<code>${code}</code>`;
      }
      case 'fence':
        return escapeMarkup(token.content);
      default:
        return fill(token.content, options, show);
    }
  });
  return parts.includes(undefined) ? undefined : parts.join('');
}

/** A text with filled placeholders; undefined if a placeholder has no value. */
function fill(
  text: string,
  { values = {}, change = (same) => same }: Options,
  show: (value: string | RichValue) => string,
): string | undefined {
  // Every second part is the name of a placeholder.
  const parts = text.split(PLACEHOLDER).map((part, index) => {
    const value = index % 2 === 0 ? change(part) : values[part];
    const isNone = value === undefined || (typeof value === 'object' && value.isBlock);
    return isNone ? undefined : show(value);
  });
  return parts.includes(undefined) ? undefined : parts.join('');
}

function asText(value: string | RichValue): string {
  return typeof value === 'string' ? value : value.text;
}

function asHtml(value: string | RichValue): string {
  return typeof value === 'string' ? escapeMarkup(value) : value.html;
}

function asPlainHtml(value: string | RichValue): string {
  return escapeMarkup(asText(value));
}

/** Pages whose links keep language and theme; links to the dictionary keep the language. */
const PAGES: ReadonlySet<string> = new Set([
  '/',
  ...DOCUMENTATION_PAGES.map((name) => `/${name}`),
  RECIPES_PATH,
  ...LEGAL_PAGES.map((name) => `/legal/${name}`),
]);

function addressOf(to: string, { language, theme }: PageStyle): string {
  const [path = '', id] = to.split('#');
  const fragment = id === undefined ? '' : `#${id}`;
  if (PAGES.has(path)) return pageLink(path, { language, theme }) + fragment;
  if (path === '/api/v1/data-dictionary') return pageLink(path, { language, theme: undefined });
  return to;
}
