/** Template contexts of prose: every inline has a kind, every link its address in the page's language and theme. */
import type { Block, Inline, Inlines, Section, Target } from '../messages/prose.js';
import {
  DOCUMENTATION_PAGES,
  LEGAL_PAGES,
  pageLink,
  RECIPES_PATH,
  type PageStyle,
} from './page.js';

export interface InlineContext {
  readonly kind: 'text' | 'link' | 'code' | 'strong' | 'time';
  readonly text: string;
  /** Address of a link; otherwise empty. */
  readonly href: string;
  /** UTC of a time, `YYYY-MM-DDTHH:MM:SSZ`; otherwise empty. */
  readonly utc: string;
}

type InlinesContext = readonly InlineContext[];

type BlockContext =
  | { readonly kind: 'paragraph' | 'note' | 'quote'; readonly inlines: InlinesContext }
  | { readonly kind: 'list'; readonly items: readonly InlinesContext[] }
  | { readonly kind: 'commands'; readonly lines: readonly string[] }
  | {
      readonly kind: 'facts';
      readonly facts: readonly { readonly name: string; readonly value: InlinesContext }[];
    }
  | {
      readonly kind: 'table';
      readonly caption: string;
      readonly head: readonly string[];
      readonly rows: readonly (readonly InlinesContext[])[];
    };

export interface SectionContext {
  readonly id: string;
  readonly heading: string;
  readonly blocks: readonly BlockContext[];
}

export function viewSection({ id, heading, blocks }: Section, style: PageStyle): SectionContext {
  return { id, heading, blocks: blocks.map((block) => viewBlock(block, style)) };
}

export function viewInlines(inlines: Inlines, style: PageStyle): readonly InlineContext[] {
  return inlines.map((inline) => viewInline(inline, style));
}

function viewBlock(block: Block, style: PageStyle): BlockContext {
  const inlines = (all: Inlines): InlinesContext => viewInlines(all, style);
  switch (block.kind) {
    case 'paragraph':
    case 'note':
    case 'quote':
      return { kind: block.kind, inlines: inlines(block.inlines) };
    case 'list':
      return { kind: 'list', items: block.items.map(inlines) };
    case 'facts':
      return {
        kind: 'facts',
        facts: block.facts.map(({ name, value }) => ({ name, value: inlines(value) })),
      };
    case 'commands':
      return block;
    case 'table':
      return { ...block, rows: block.rows.map((cells) => cells.map(inlines)) };
  }
}

function viewInline(inline: Inline, style: PageStyle): InlineContext {
  const none = { href: '', utc: '' };
  if (typeof inline === 'string') return { ...none, kind: 'text', text: inline };
  switch (inline.kind) {
    case 'link':
      return { ...none, kind: 'link', text: inline.text, href: addressOf(inline.to, style) };
    case 'time':
      return { ...none, ...inline };
    case 'code':
    case 'strong':
      return { ...none, ...inline };
  }
}

/** Links to these pages keep language and theme; links to the dictionary keep the language. */
const PAGES: ReadonlySet<string> = new Set([
  '/',
  ...DOCUMENTATION_PAGES.map((name) => `/${name}`),
  RECIPES_PATH,
  ...LEGAL_PAGES.map((name) => `/legal/${name}`),
]);

function addressOf(to: Target, { language, theme }: PageStyle): string {
  const [path = '', id] = to.split('#');
  const fragment = id === undefined ? '' : `#${id}`;
  if (PAGES.has(path)) return pageLink(path, { language, theme }) + fragment;
  if (path === '/api/v1/data-dictionary') return pageLink(path, { language, theme: undefined });
  return to;
}
