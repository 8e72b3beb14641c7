/**
 * Reads pages from Markdown (CommonMark with description lists): `# Title`, an introduction, then sections that begin
 * with `## Heading {#fragment}`. HTML, pictures, tables and emphasis with one star are no part of pages: each is a
 * problem, and would be shown as it is written (docs/translating.md, "Pages").
 */
import MarkdownIt, { type Token } from 'markdown-it';
import deflist from 'markdown-it-deflist';
import type { Problem } from './files.js';
import type { Transform } from './messages.js';
import type { Block, Inline, Inlines, Page, Section } from './prose.js';

const markdown = new MarkdownIt('commonmark').use(deflist);

const NOTE = '[!NOTE]';
const HEADING = /^(.*?)\s*\{#([a-z][\w-]*)\}$/i;
const TARGET = /^(?:\/|https?:\/\/|mailto:|tel:)/;

/** Reads all that can be read, and says what cannot. */
export function parsePage(
  text: string,
  transform: Transform = (same) => same,
): { readonly page: Page; readonly problems: readonly Problem[] } {
  return new PageReader(markdown.parse(text, {}), transform).read();
}

/** A line of Markdown; what is no markup of lines stays as it is written. */
export function parseInlines(text: string): Inlines {
  const [token] = markdown.parseInline(text, {});
  return token === undefined ? [] : new PageReader([], (same) => same).inlines(token);
}

class PageReader {
  readonly #tokens: readonly Token[];
  readonly #transform: Transform;
  readonly #problems: Problem[] = [];
  #at = 0;
  #line = 1;

  constructor(tokens: readonly Token[], transform: Transform) {
    this.#tokens = tokens;
    this.#transform = transform;
  }

  read() {
    let title: string | undefined;
    const introduction: Inlines[] = [];
    const sections: (Section & { readonly blocks: Block[] })[] = [];
    for (let token = this.#next(); token !== undefined; token = this.#next()) {
      if (token.type === 'heading_open') {
        const heading = this.#plain(this.#inlines());
        this.#next();
        if (token.tag === 'h1' && title === undefined && sections.length === 0) title = heading;
        else if (token.tag === 'h2') sections.push({ ...this.#section(heading), blocks: [] });
        else this.#wrong('a page has one # title, and ## headings below it');
        continue;
      }
      const block = this.#block(token);
      if (block === undefined) continue;
      const section = sections.at(-1);
      if (section !== undefined) section.blocks.push(block);
      else if (block.kind === 'paragraph') introduction.push(block.inlines);
      else this.#wrong('only paragraphs stand before the first ## heading');
    }
    this.#line = 1;
    if (title === undefined) this.#wrong('the page has no # title');
    if (introduction.length === 0) this.#wrong('the page has no paragraph below its title');
    return { page: { title: title ?? '', introduction, sections }, problems: this.#problems };
  }

  /** The inlines of an inline token. */
  inlines({ children }: Token): Inlines {
    const result: Inline[] = [];
    let open: { kind: 'strong' | 'link'; to: string; parts: Inline[] } | undefined;
    const add = (inline: Inline): void => {
      const list = open?.parts ?? result;
      const last = list.at(-1);
      if (typeof inline === 'string' && typeof last === 'string')
        list[list.length - 1] = last + inline;
      else list.push(inline);
    };
    for (const token of children ?? []) {
      switch (token.type) {
        case 'text':
        case 'text_special':
          add(token.content);
          break;
        case 'softbreak':
          add(' ');
          break;
        case 'code_inline':
          add({ kind: 'code', text: token.content });
          break;
        case 'strong_open':
        case 'link_open': {
          if (open !== undefined) this.#wrong('a link or strong text holds no other');
          const to = token.type === 'link_open' ? String(token.attrGet('href') ?? '') : '';
          if (token.type === 'link_open' && !TARGET.test(to)) {
            this.#wrong(`a link leads to a path of this service or to https://, not to ${to}`);
          }
          open = {
            kind: token.type === 'link_open' ? 'link' : 'strong',
            to: decodeURI(to),
            parts: [],
          };
          break;
        }
        case 'strong_close':
        case 'link_close': {
          const closed = open;
          open = undefined;
          if (closed === undefined) break;
          const text = closed.parts.map((part) => this.#text(part)).join('');
          add(
            closed.kind === 'link'
              ? { kind: 'link', text, to: closed.to }
              : { kind: 'strong', text },
          );
          break;
        }
        default:
          if (!token.type.endsWith('_close')) this.#wrong(`${nameOf(token)} is no part of a page`);
          add(token.content);
      }
    }
    return result.map((inline) => (typeof inline === 'string' ? this.#transform(inline) : inline));
  }

  /** Of a part of a link or of strong text. */
  #text(part: Inline): string {
    return typeof part === 'string' ? this.#transform(part) : part.text;
  }

  #next(): Token | undefined {
    const token = this.#tokens[this.#at];
    this.#at += 1;
    this.#line = token?.map === undefined || token.map === null ? this.#line : token.map[0] + 1;
    return token;
  }

  /** Of the token that follows. */
  #inlines(): Inlines {
    const token = this.#next();
    return token === undefined ? [] : this.inlines(token);
  }

  #plain(inlines: Inlines): string {
    return inlines
      .map((inline) => {
        if (typeof inline === 'string') return inline;
        this.#wrong('a heading or a term is plain text');
        return inline.text;
      })
      .join('');
  }

  #section(heading: string): Pick<Section, 'id' | 'heading'> {
    const [, text, id] = HEADING.exec(heading) ?? [];
    if (text === undefined || id === undefined) {
      this.#wrong(`the heading "${heading}" lacks its fragment, such as {#contact}`);
      return { id: '', heading };
    }
    return { id, heading: text };
  }

  #block(token: Token): Block | undefined {
    switch (token.type) {
      case 'paragraph_open': {
        const inlines = this.#inlines();
        this.#next();
        return { kind: 'paragraph', inlines };
      }
      case 'blockquote_open':
        return this.#quote();
      case 'bullet_list_open':
        return { kind: 'list', items: this.#items('bullet_list_close') };
      case 'dl_open':
        return this.#facts();
      case 'fence':
        return { kind: 'commands', lines: token.content.replace(/\n$/, '').split('\n') };
      default:
        if (!token.type.endsWith('_close')) this.#wrong(`${nameOf(token)} is no part of a page`);
        return undefined;
    }
  }

  #quote(): Block {
    const [first, ...more] = this.#items('blockquote_close');
    if (first === undefined || more.length > 0) this.#wrong('a quotation is one paragraph');
    const [start = '', ...rest] = first ?? [];
    if (typeof start !== 'string' || !start.startsWith(NOTE))
      return { kind: 'quote', inlines: first ?? [] };
    const text = start.slice(NOTE.length).trimStart();
    return { kind: 'note', inlines: text === '' ? rest : [text, ...rest] };
  }

  /** The paragraphs up to a closing token. */
  #items(close: string): readonly Inlines[] {
    const items: Inlines[] = [];
    for (
      let token = this.#next();
      token !== undefined && token.type !== close;
      token = this.#next()
    ) {
      if (token.type === 'inline') items.push(this.inlines(token));
      else if (!/^(?:list_item|paragraph|dd)_(?:open|close)$/.test(token.type)) {
        this.#wrong(`${nameOf(token)} has no place here`);
      }
    }
    return items;
  }

  #facts(): Block {
    const facts: { name: string; values: Inlines[] }[] = [];
    let isTerm = false;
    for (
      let token = this.#next();
      token !== undefined && token.type !== 'dl_close';
      token = this.#next()
    ) {
      if (token.type === 'inline') {
        const inlines = this.inlines(token);
        if (isTerm) facts.push({ name: this.#plain(inlines), values: [] });
        else facts.at(-1)?.values.push(inlines);
      } else if (/^d[td]_open$/.test(token.type)) isTerm = token.type === 'dt_open';
      else if (!/^(?:d[td]|paragraph)_(?:open|close)$/.test(token.type)) {
        this.#wrong(`${nameOf(token)} has no place here`);
      }
    }
    return { kind: 'facts', facts };
  }

  #wrong(problem: string): void {
    this.#problems.push({ line: this.#line, problem });
  }
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
