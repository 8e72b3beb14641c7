/** Preferences of a client: HTML or JSON, and the language (RFC 9110 §12.5.1, §12.5.4). */
import { weightedItems } from './representation.js';

/** A longer `Accept` field is ignored; browsers send shorter ones. */
const ACCEPT_LENGTH_MAX = 500;

/** Whether the client names HTML, other than by a wildcard, and prefers it to JSON, as browsers do. */
export function prefersHtml(accept: string): boolean {
  if (accept.length > ACCEPT_LENGTH_MAX || !/html/i.test(accept)) return false;
  const weights = new Map(weightedItems(accept));
  const html = Math.max(weights.get('text/html') ?? 0, weights.get('application/xhtml+xml') ?? 0);
  const json =
    weights.get('application/json') ?? weights.get('application/*') ?? weights.get('*/*') ?? 0;
  return html > json;
}

/** Characters of `Accept-Language` that are read: people name two or three languages. */
const ACCEPT_LANGUAGE_LENGTH_MAX = 200;
const RANGES_MAX = 10;

/** A language range in lower case (RFC 4647 §2.1). */
const RANGE = /^(?:\*|[a-z]{1,8}(?:-[a-z\d]{1,8}){0,7})$/;

export interface OfferedLanguages {
  readonly languages: readonly string[];
  /** Language for a client without a preference. */
  readonly fallback: string;
}

/**
 * The offered language that a client prefers, by lookup (RFC 4647 §3.4): `en-GB` is answered with `en`.
 *
 * The beginning of an offered language means that language: `sr` means Serbian in the operator's script. `*` means the
 * fallback. Malformed ranges are ignored; a malformed weight is 0, so that its language is refused.
 */
export function preferredLanguage(
  acceptLanguage: string,
  { languages, fallback }: OfferedLanguages,
): string {
  if (acceptLanguage === '') return fallback;
  const ranges = weightedItems(begin(acceptLanguage))
    .slice(0, RANGES_MAX)
    .filter(([range]) => RANGE.test(range));
  const refused = ranges.filter(([, weight]) => weight === 0).map(([range]) => range);
  const offered = [fallback, ...languages];
  const acceptable = offered.filter(
    (language) => !refused.some((range) => isWithin(language, range)),
  );
  const wanted = ranges.filter(([, weight]) => weight > 0).toSorted(([, a], [, b]) => b - a);
  for (const [range] of wanted) {
    if (range === '*') return acceptable[0] ?? fallback;
    for (let tag = range; tag !== '' && !refused.includes(tag); tag = shortened(tag)) {
      const match =
        offered.find((language) => language.toLowerCase() === tag) ??
        acceptable.find((language) => isWithin(language, tag));
      if (match !== undefined) return match;
    }
  }
  return fallback;
}

/** The beginning of a list, cut between two items. */
function begin(list: string): string {
  if (list.length <= ACCEPT_LANGUAGE_LENGTH_MAX) return list;
  return list.slice(0, Math.max(list.lastIndexOf(',', ACCEPT_LANGUAGE_LENGTH_MAX), 0));
}

/** Whether a language is the range, or a more specific one. */
function isWithin(language: string, range: string): boolean {
  const tag = language.toLowerCase();
  return tag === range || tag.startsWith(`${range}-`);
}

/** The range without its last subtag; empty if that was its only subtag. */
function shortened(range: string): string {
  return range.slice(0, Math.max(range.lastIndexOf('-'), 0));
}
