/** HTML templates that escape values other than markup. */
import { escapeHtml } from './xml.js';

/** Text that is already markup: templates do not escape it. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A value of a template; undefined, false and null are empty. */
export type MarkupPart = string | number | Markup | undefined | false | readonly MarkupPart[];

export function html(strings: TemplateStringsArray, ...parts: readonly MarkupPart[]): Markup {
  let text = strings[0] ?? '';
  for (let at = 0; at < parts.length; at += 1) {
    text += written(parts[at]) + (strings[at + 1] ?? '');
  }
  return new Markup(text);
}

/** Marks a text as markup; its caller has escaped it. */
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
