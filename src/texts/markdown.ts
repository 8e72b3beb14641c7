/**
 * Reads pages from Markdown (CommonMark with description lists): `# Title`, an introduction, then sections that begin
 * with `## Heading {#fragment}`. HTML, pictures, tables and emphasis by one star are problems, and shown as text
 * (docs/translating.md, "Pages").
 */
import MarkdownIt, { type Token } from 'markdown-it';
import deflist from 'markdown-it-deflist';
import type { LineProblem } from './text-files.js';
import type { Transform } from './fluent-messages.js';

/** Inline tokens: text, code, links, strong text. Text and code may have placeholders. */
export type Line = readonly Token[];

/** Lists and facts have several items, other blocks one. The line of commands is their block token. */
export interface Block {
  readonly kind: 'paragraph' | 'note' | 'quote' | 'list' | 'facts' | 'commands';
  readonly items: readonly Item[];
}

interface Item {
  /** Term of a description list; empty in other blocks. */
  readonly term: string;
  /** The first line without an empty placeholder is shown. */
  readonly values: readonly Line[];
}

interface Section {
  /** Fragment of the address, independent of the language. */
  readonly id: string;
  readonly heading: string;
  readonly blocks: readonly Block[];
}

export interface ProsePage {
  readonly title: string;
  readonly introduction: readonly Line[];
  readonly sections: readonly Section[];
}

export const PLACEHOLDER = /\{\{\s*([\w-]+)\s*\}\}/g;

const HEADING = /^(.*?)\s*\{#([a-z][\w-]*)\}$/i;
const NOTE = '[!NOTE]';
const TARGET = /^(?:\/|https?:\/\/|mailto:|tel:)/;

const KINDS: Readonly<Record<string, Block['kind']>> = {
  paragraph_open: 'paragraph',
  blockquote_open: 'quote',
  bullet_list_open: 'list',
  dl_open: 'facts',
  fence: 'commands',
};

/** Structural tokens of a block. */
const STRUCTURE = /^(?:list_item|paragraph|d[td])_open$|_close$/;

/** Tokens of a line: text and marks. */
const TEXT = /^(?:text|text_special|softbreak)$|_close$/;
const MARK = /^(?:link|strong)_(?:open|close)$|^code_inline$/;

const markdown = new MarkdownIt('commonmark').use(deflist);

interface Reader {
  readonly transform: Transform;
  readonly wrong: (problem: string, at?: Token) => void;
}

/** Reads what is valid, and reports the rest. */
export function parsePage(text: string, transform: Transform = (same) => same) {
  const problems: LineProblem[] = [];
  const wrong = (problem: string, at?: Token): void => {
    problems.push({ line: (at?.map?.[0] ?? 0) + 1, problem });
  };
  const reader = { transform, wrong };
  let title: string | undefined;
  const introduction: Line[] = [];
  const sections: (Section & { readonly blocks: Block[] })[] = [];
  for (const { open, inner } of blocksOf(markdown.parse(text, {}))) {
    if (open.type === 'heading_open') {
      const heading = readPlainLine(inner[0], reader);
      if (open.tag === 'h1' && title === undefined && sections.length === 0) title = heading;
      else if (open.tag === 'h2')
        sections.push({ ...readHeading(heading, open, reader), blocks: [] });
      else wrong('a page has one # title, and ## headings below it', open);
      continue;
    }
    const block = readBlock(open, inner, reader);
    const section = sections.at(-1);
    if (block === undefined) continue;
    if (section !== undefined) section.blocks.push(block);
    else if (block.kind === 'paragraph') introduction.push(...(block.items[0]?.values ?? []));
    else wrong('only paragraphs stand before the first ## heading', open);
  }
  if (title === undefined) wrong('the page has no # title');
  if (introduction.length === 0) wrong('the page has no paragraph below its title');
  return { page: { title: title ?? '', introduction, sections }, problems };
}

/** A line of Markdown; other markup stays text. */
export function parseLine(text: string): Line {
  const [line] = markdown.parseInline(text, {});
  return readLine(line, { transform: (same) => same, wrong: () => undefined });
}

/** The plain text of a line, without links and markup. */
export function textOf(line: Line): string {
  return line.map(({ content }) => content).join('');
}

/** The opening token of each block, with all tokens up to its end. */
function blocksOf(tokens: readonly Token[]): readonly { open: Token; inner: readonly Token[] }[] {
  const blocks: { open: Token; inner: Token[] }[] = [];
  for (const token of tokens) {
    if (token.level === 0 && token.nesting !== -1) blocks.push({ open: token, inner: [] });
    else blocks.at(-1)?.inner.push(token);
  }
  return blocks;
}

function readHeading(heading: string, open: Token, { wrong }: Reader) {
  const [, text, id] = HEADING.exec(heading) ?? [];
  if (text !== undefined && id !== undefined) return { id, heading: text };
  wrong(`the heading "${heading}" lacks its fragment, such as {#contact}`, open);
  return { id: '', heading };
}

function readBlock(open: Token, inner: readonly Token[], reader: Reader): Block | undefined {
  const kind = KINDS[open.type];
  if (kind === undefined) reader.wrong(`${nameOf(open)} is not supported in pages`, open);
  if (kind === undefined || kind === 'commands')
    return kind && { kind, items: [{ term: '', values: [[open]] }] };
  const items: { readonly term: string; readonly values: Line[] }[] = [];
  let isTerm = false;
  for (const token of inner) {
    if (/^d[td]_open$/.test(token.type)) isTerm = token.type === 'dt_open';
    if (token.type !== 'inline') {
      if (!STRUCTURE.test(token.type)) reader.wrong(`${nameOf(token)} has no place here`, token);
    } else if (isTerm) items.push({ term: readPlainLine(token, reader), values: [] });
    else if (kind === 'facts') items.at(-1)?.values.push(readLine(token, reader));
    else items.push({ term: '', values: [readLine(token, reader)] });
  }
  if (kind !== 'quote') return { kind, items };
  if (items.length !== 1) reader.wrong('a quotation is one paragraph', open);
  const [first] = items[0]?.values[0] ?? [];
  const isNote = first?.type === 'text' && first.content.startsWith(NOTE);
  if (isNote) first.content = first.content.slice(NOTE.length).trimStart();
  return { kind: isNote ? 'note' : 'quote', items: items.slice(0, 1) };
}

function readPlainLine(token: Token | undefined, reader: Reader): string {
  const line = readLine(token, reader);
  const isPlain = line.every(({ type }) => type === 'text');
  if (!isPlain) reader.wrong('a heading or a term is plain text', token);
  return textOf(line);
}

/** The children of an inline token, with adjacent texts joined. */
function readLine(inline: Token | undefined, { transform, wrong }: Reader): Line {
  const line: Token[] = [];
  let depth = 0;
  for (const token of inline?.children ?? []) {
    if (MARK.test(token.type)) {
      depth += token.nesting;
      if (token.nesting === 1 && depth > 1) wrong('a link or strong text holds no other', inline);
      const to = token.attrGet('href');
      if (to !== null && !TARGET.test(String(to)))
        wrong(`a link leads to a path of this service or to https://, not to ${to}`, inline);
      if (to !== null) token.attrSet('href', decodeURI(String(to)));
      line.push(token);
      continue;
    }
    if (!TEXT.test(token.type)) wrong(`${nameOf(token)} is not supported in pages`, inline);
    const content = token.type === 'softbreak' ? ' ' : token.content;
    const last = line.at(-1);
    if (last?.type === 'text') last.content += content;
    else line.push(Object.assign(token, { type: 'text', content }));
  }
  for (const token of line) if (token.type === 'text') token.content = transform(token.content);
  return line;
}

const NAMES: Readonly<Record<string, string>> = {
  html_block: 'HTML',
  html_inline: 'HTML',
  em_open: 'emphasis with one * or _ (strong text has two)',
  image: 'a picture',
  hardbreak: 'a broken line',
  hr: 'a line across the page',
  ordered_list_open: 'a numbered list',
  code_block: 'an indented line (code has ``` above and below)',
};

function nameOf({ type }: Token): string {
  return NAMES[type] ?? type.replace('_open', '').replaceAll('_', ' ');
}
