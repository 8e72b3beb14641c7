/** Template contexts of prose: every inline has a kind, every link its address in the page's language and theme. */
import type { Block, Inline, Inlines, Section, Target } from '../../texts/prose.js';
import {
  DOCUMENTATION_PAGES,
  LEGAL_PAGES,
  pageLink,
  RECIPES_PATH,
  type PageStyle,
} from './page.js';

export type InlineContext = ReturnType<typeof viewInline>;
export type SectionContext = ReturnType<typeof viewSection>;

export function viewSection({ id, heading, blocks }: Section, style: PageStyle) {
  return { id, heading, blocks: blocks.map((block) => viewBlock(block, style)) };
}

export function viewInlines(inlines: Inlines, style: PageStyle): readonly InlineContext[] {
  return inlines.map((inline) => viewInline(inline, style));
}

function viewBlock(block: Block, style: PageStyle) {
  const inlines = (all: Inlines) => viewInlines(all, style);
  switch (block.kind) {
    case 'paragraph':
    case 'note':
    case 'quote':
      return { kind: block.kind, inlines: inlines(block.inlines) };
    case 'list':
      return { kind: block.kind, items: block.items.map(inlines) };
    case 'facts': {
      const facts = block.facts.map(({ name, values: [value = []] }) => ({
        name,
        value: inlines(value),
      }));
      return { kind: block.kind, facts };
    }
    case 'commands':
      return block;
    case 'table':
      return { ...block, rows: block.rows.map((cells) => cells.map(inlines)) };
  }
}

/** `href` is the address of a link, `utc` the UTC of a time (`YYYY-MM-DDTHH:MM:SSZ`); each is empty where there is none. */
function viewInline(inline: Inline, style: PageStyle) {
  const none = { href: '', utc: '' };
  if (typeof inline === 'string') return { ...none, kind: 'text' as const, text: inline };
  if (inline.kind !== 'link') return { ...none, ...inline };
  return { ...none, kind: inline.kind, text: inline.text, href: addressOf(inline.to, style) };
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
