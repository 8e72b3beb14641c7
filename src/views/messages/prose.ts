/**
 * Prose of pages as data: sections of blocks of inlines, in the sense of CommonMark.
 *
 * A message never contains HTML: templates write all elements.
 */

/** Target of a link: a path of this service, or an absolute address. */
export type Target =
  `/${string}` | `https://${string}` | `http://${string}` | `mailto:${string}` | `tel:${string}`;

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
  | { readonly kind: 'note'; readonly inlines: Inlines }
  | { readonly kind: 'quote'; readonly inlines: Inlines }
  | { readonly kind: 'list'; readonly items: readonly Inlines[] }
  | { readonly kind: 'commands'; readonly lines: readonly string[] }
  | { readonly kind: 'facts'; readonly facts: readonly Fact[] }
  | {
      readonly kind: 'table';
      readonly caption: string;
      readonly head: readonly string[];
      readonly rows: readonly (readonly Inlines[])[];
    };

/** A name with a value, for a description list. */
export interface Fact {
  readonly name: string;
  readonly value: Inlines;
}

export interface Section {
  /** Fragment of the page's address, the same in every language. */
  readonly id: string;
  readonly heading: string;
  readonly blocks: readonly Block[];
}

export function link(to: Target, text: string): Inline {
  return { kind: 'link', to, text };
}

export function code(text: string): Inline {
  return { kind: 'code', text };
}

export function strong(text: string): Inline {
  return { kind: 'strong', text };
}

export function paragraph(...inlines: Inlines): Block {
  return { kind: 'paragraph', inlines };
}

/** A paragraph that is emphasized. */
export function note(...inlines: Inlines): Block {
  return { kind: 'note', inlines };
}

/** A text to be copied. */
export function quote(...inlines: Inlines): Block {
  return { kind: 'quote', inlines };
}

export function list(...items: readonly Inlines[]): Block {
  return { kind: 'list', items };
}

/** Lines for a shell; scripts replace `$BASE_URL` by the address of the service. */
export function commands(...lines: readonly string[]): Block {
  return { kind: 'commands', lines };
}

/** A description list of those facts that are not undefined. */
export function facts(...all: readonly (Fact | undefined)[]): Block {
  return { kind: 'facts', facts: all.filter((fact) => fact !== undefined) };
}
