/** Markup with values in it: each value is escaped, unless it is markup itself. */
import { escapeHtml } from './xml.js';

/** Text that is markup already. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A value of a template; nothing is written for one that is not there. */
export type MarkupPart = string | number | Markup | undefined | false | readonly MarkupPart[];

export function html(strings: TemplateStringsArray, ...parts: readonly MarkupPart[]): Markup {
  let text = strings[0] ?? '';
  for (let at = 0; at < parts.length; at += 1) {
    text += written(parts[at]) + (strings[at + 1] ?? '');
  }
  return new Markup(text);
}

/** Markup that was put together elsewhere, with its values escaped there. */
export function raw(text: string): Markup {
  return new Markup(text);
}

function written(part: MarkupPart): string {
  if (typeof part === 'string') return escapeHtml(part);
  if (part instanceof Markup) return part.text;
  if (typeof part === 'number') return String(part);
  if (part === undefined || part === false) return '';
  return part.map(written).join('');
}
