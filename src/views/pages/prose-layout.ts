/** Prose as a template lays it out: every run has a kind, every link its address. */
import type { Block, Run, Runs, Section, Target } from '../messages/prose.js';
import { DOCUMENTATION_PAGES, LEGAL_PAGES, pageLink, type PageStyle } from './page.js';

export interface RunContext {
  readonly kind: 'text' | 'link' | 'code' | 'strong' | 'time';
  readonly text: string;
  /** Of a link; else empty. */
  readonly href: string;
  /** Of a moment, `YYYY-MM-DDTHH:MM:SSZ`; else empty. */
  readonly utc: string;
}

type RunsContext = readonly RunContext[];

type BlockContext =
  | { readonly kind: 'paragraph' | 'note' | 'quote'; readonly runs: RunsContext }
  | { readonly kind: 'list'; readonly items: readonly RunsContext[] }
  | { readonly kind: 'commands'; readonly lines: readonly string[] }
  | {
      readonly kind: 'facts';
      readonly facts: readonly { readonly name: string; readonly value: RunsContext }[];
    }
  | {
      readonly kind: 'table';
      readonly caption: string;
      readonly head: readonly string[];
      readonly rows: readonly (readonly RunsContext[])[];
    };

export interface SectionContext {
  readonly id: string;
  readonly heading: string;
  readonly blocks: readonly BlockContext[];
}

export function viewSection({ id, heading, blocks }: Section, style: PageStyle): SectionContext {
  return { id, heading, blocks: blocks.map((block) => viewBlock(block, style)) };
}

export function viewRuns(runs: Runs, style: PageStyle): readonly RunContext[] {
  return runs.map((run) => viewRun(run, style));
}

function viewBlock(block: Block, style: PageStyle): BlockContext {
  const runs = (all: Runs): RunsContext => viewRuns(all, style);
  switch (block.kind) {
    case 'paragraph':
    case 'note':
    case 'quote':
      return { kind: block.kind, runs: runs(block.runs) };
    case 'list':
      return { kind: 'list', items: block.items.map(runs) };
    case 'facts':
      return {
        kind: 'facts',
        facts: block.facts.map(({ name, value }) => ({ name, value: runs(value) })),
      };
    case 'commands':
      return block;
    case 'table':
      return { ...block, rows: block.rows.map((cells) => cells.map(runs)) };
  }
}

function viewRun(run: Run, style: PageStyle): RunContext {
  const none = { href: '', utc: '' };
  if (typeof run === 'string') return { ...none, kind: 'text', text: run };
  switch (run.kind) {
    case 'link':
      return { ...none, kind: 'link', text: run.text, href: addressOf(run.to, style) };
    case 'time':
      return { ...none, ...run };
    case 'code':
    case 'strong':
      return { ...none, ...run };
  }
}

/** Pages for people keep language and theme; the dictionary has the language of the page that leads to it. */
const PAGES: ReadonlySet<string> = new Set([
  '/',
  ...DOCUMENTATION_PAGES.map((name) => `/${name}`),
  ...LEGAL_PAGES.map((name) => `/legal/${name}`),
]);

function addressOf(to: Target, { language, theme }: PageStyle): string {
  const [path = '', part] = to.split('#');
  const anchor = part === undefined ? '' : `#${part}`;
  if (PAGES.has(path)) return pageLink(path, { language, theme }) + anchor;
  if (path === '/api/v1/data-dictionary') return pageLink(path, { language, theme: undefined });
  return to;
}
