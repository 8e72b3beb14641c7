/** Prose of pages as data: sections of blocks of runs. A message never holds HTML, so none can be written wrongly. */

/** A page or an answer of this service by its path, or an address elsewhere. */
export type Target =
  `/${string}` | `https://${string}` | `http://${string}` | `mailto:${string}` | `tel:${string}`;

/** A piece of a line: text as it stands, or text that leads somewhere, is code, or is a moment. */
export type Run =
  | string
  | { readonly kind: 'link'; readonly text: string; readonly to: Target }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'strong'; readonly text: string }
  | { readonly kind: 'time'; readonly text: string; readonly utc: string };

export type Runs = readonly Run[];

export type Block =
  | { readonly kind: 'paragraph'; readonly runs: Runs }
  | { readonly kind: 'note'; readonly runs: Runs }
  | { readonly kind: 'quote'; readonly runs: Runs }
  | { readonly kind: 'list'; readonly items: readonly Runs[] }
  | { readonly kind: 'commands'; readonly lines: readonly string[] }
  | { readonly kind: 'facts'; readonly facts: readonly Fact[] }
  | {
      readonly kind: 'table';
      readonly caption: string;
      readonly head: readonly string[];
      readonly rows: readonly (readonly Runs[])[];
    };

/** What something is called, and what it is. */
export interface Fact {
  readonly name: string;
  readonly value: Runs;
}

export interface Section {
  /** Part of the page's address: the same in every language. */
  readonly id: string;
  readonly heading: string;
  readonly blocks: readonly Block[];
}

export function link(to: Target, text: string): Run {
  return { kind: 'link', to, text };
}

export function code(text: string): Run {
  return { kind: 'code', text };
}

export function strong(text: string): Run {
  return { kind: 'strong', text };
}

export function paragraph(...runs: Runs): Block {
  return { kind: 'paragraph', runs };
}

/** What nobody should read over. */
export function note(...runs: Runs): Block {
  return { kind: 'note', runs };
}

/** A line to be copied. */
export function quote(...runs: Runs): Block {
  return { kind: 'quote', runs };
}

export function list(...items: readonly Runs[]): Block {
  return { kind: 'list', items };
}

/** Lines for a shell; `$BASE_URL` stands for the address of the service. */
export function commands(...lines: readonly string[]): Block {
  return { kind: 'commands', lines };
}

/** Facts whose value is not known are left out beforehand: `undefined` is. */
export function facts(...all: readonly (Fact | undefined)[]): Block {
  return { kind: 'facts', facts: all.filter((fact) => fact !== undefined) };
}
