/**
 * Prose of pages as data: sections of blocks of inlines, in the sense of CommonMark.
 *
 * No text contains HTML: templates write all elements. A text may have placeholders, `{{ name }}`, until it is filled.
 */

/** Target of a link: a path of this service, or an absolute address. */
export type Target = string;

/** Part of a line: plain text, or a link, code, strong text, or a time. */
export type Inline =
  | string
  | { readonly kind: 'link'; readonly text: string; readonly to: Target }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'strong'; readonly text: string }
  | { readonly kind: 'time'; readonly text: string; readonly utc: string };

export type Inlines = readonly Inline[];

export type Block =
  | { readonly kind: 'paragraph'; readonly inlines: Inlines }
  /** A paragraph that is emphasized. */
  | { readonly kind: 'note'; readonly inlines: Inlines }
  /** A text to be copied. */
  | { readonly kind: 'quote'; readonly inlines: Inlines }
  | { readonly kind: 'list'; readonly items: readonly Inlines[] }
  /** Lines for a shell; scripts replace `$BASE_URL` by the address of the service. */
  | { readonly kind: 'commands'; readonly lines: readonly string[] }
  /** A description list. Of the values of a fact, the first that can be filled is shown. */
  | { readonly kind: 'facts'; readonly facts: readonly Fact[] }
  | {
      readonly kind: 'table';
      readonly caption: string;
      readonly head: readonly string[];
      readonly rows: readonly (readonly Inlines[])[];
    };

interface Fact {
  readonly name: string;
  readonly values: readonly Inlines[];
}

export interface Section {
  /** Fragment of the page's address, the same in every language. */
  readonly id: string;
  readonly heading: string;
  readonly blocks: readonly Block[];
}

/** A page of texts. */
export interface Page {
  readonly title: string;
  /** The paragraphs before the first section. */
  readonly introduction: readonly Inlines[];
  readonly sections: readonly Section[];
}

/** By the name of a placeholder; what is undefined, or not there, has no value. */
export type PageValues = Readonly<Record<string, Inline | Block | undefined>>;

export const PLACEHOLDER = /\{\{\s*([\w-]+)\s*\}\}/g;

/**
 * The page with the values of its placeholders. What holds one without a value is left out: an item, a paragraph, a
 * fact, or a section, where its heading holds it; a section in which nothing is left is left out, too.
 */
export function fillPage({ title, introduction, sections }: Page, values: PageValues): Page {
  return {
    title,
    introduction: introduction.flatMap((inlines) => listOf(fillInlines(inlines, values))),
    sections: sections.flatMap((section) => {
      const heading = fillText(section.heading, values);
      const blocks = section.blocks.flatMap((block) => listOf(fillBlock(block, values)));
      const isEmpty = blocks.length === 0 && section.blocks.length > 0;
      return heading === undefined || isEmpty ? [] : [{ id: section.id, heading, blocks }];
    }),
  };
}

function fillBlock(block: Block, values: PageValues): Block | undefined {
  switch (block.kind) {
    case 'paragraph':
    case 'note':
    case 'quote': {
      const whole = blockOf(block.inlines, values);
      if (whole !== undefined) return whole;
      const inlines = fillInlines(block.inlines, values);
      return inlines && { kind: block.kind, inlines };
    }
    case 'list': {
      const items = block.items.flatMap((item) => listOf(fillInlines(item, values)));
      return items.length === 0 ? undefined : { kind: 'list', items };
    }
    case 'facts': {
      const facts = block.facts.flatMap(({ name, values: texts }) => {
        const [first] = texts.flatMap((text) => listOf(fillInlines(text, values)));
        return first === undefined ? [] : [{ name, values: [first] }];
      });
      return facts.length === 0 ? undefined : { kind: 'facts', facts };
    }
    case 'commands':
    case 'table':
      return block;
  }
}

/** The block that a paragraph of nothing but a placeholder stands for. */
function blockOf([first, ...more]: Inlines, values: PageValues): Block | undefined {
  if (typeof first !== 'string' || more.length > 0) return undefined;
  const [name] = /^\{\{\s*([\w-]+)\s*\}\}$/.exec(first)?.slice(1) ?? [];
  const value = name === undefined ? undefined : values[name];
  return isBlock(value) ? value : undefined;
}

function isBlock(value: PageValues[string]): value is Block {
  return typeof value === 'object' && 'kind' in value && !('text' in value);
}

/** Undefined where one has no value. */
function fillInlines(inlines: Inlines, values: PageValues): Inlines | undefined {
  const filled = inlines.map((inline) => fillInline(inline, values));
  return filled.every((parts) => parts !== undefined) ? filled.flat() : undefined;
}

function fillInline(inline: Inline, values: PageValues): Inlines | undefined {
  if (typeof inline !== 'string') {
    const text = fillText(inline.text, values);
    return text === undefined ? undefined : [{ ...inline, text }];
  }
  // Every second part is the name of a placeholder.
  const parts = inline
    .split(PLACEHOLDER)
    .map((part, index) => (index % 2 === 0 ? part : values[part]));
  if (parts.some((part) => part === undefined || isBlock(part))) return undefined;
  return joined(
    parts.filter((part): part is Inline => part !== undefined && part !== '' && !isBlock(part)),
  );
}

/** Neighbouring pieces of plain text are one. */
function joined(inlines: Inlines): Inlines {
  const result: Inline[] = [];
  for (const inline of inlines) {
    const last = result.at(-1);
    if (typeof inline === 'string' && typeof last === 'string')
      result[result.length - 1] = last + inline;
    else result.push(inline);
  }
  return result;
}

function fillText(text: string, values: PageValues): string | undefined {
  const inlines = fillInline(text, values);
  return inlines && plainText(inlines);
}

/** Without links and markup. */
export function plainText(inlines: Inlines): string {
  return inlines.map((inline) => (typeof inline === 'string' ? inline : inline.text)).join('');
}

function listOf<T>(value: T | undefined): readonly T[] {
  return value === undefined ? [] : [value];
}
