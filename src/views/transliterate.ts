/**
 * Writes Serbian text in both scripts from one Latin source.
 *
 * A text is a tagged template: its literals are Serbian and are written in the tag's script; the values of `${...}`
 * stay as they are: codes, field names, units, addresses, foreign names. No maintained library was found that knows
 * the words below.
 */

/** Tag of a Serbian text that is written in Latin script. */
export type Script = (literals: TemplateStringsArray, ...verbatim: readonly string[]) => string;

export const inLatin: Script = (literals, ...verbatim) => interleave(literals, verbatim);

export const inCyrillic: Script = (literals, ...verbatim) =>
  interleave(literals.map(transliterate), verbatim);

/** Serbian in Cyrillic script. Letters that no Serbian word has (q, w, x, y) stay. */
export function transliterate(latin: string): string {
  return latin
    .normalize('NFC')
    .replace(APART, (word) => word.replace(/[dn](?=[jž])/iu, `$&${SEPARATOR}`))
    .replace(/dž|lj|nj|\p{L}/giu, (letter) => cyrillicOf(letter))
    .replaceAll(SEPARATOR, '');
}

/** ZERO WIDTH NON-JOINER: keeps two letters from being read as one. */
const SEPARATOR = '\u200C';

/** Beginnings of words whose `nj` or `dž` is two letters: a prefix, or a foreign word, meets j or ž. */
const APART = new RegExp(
  `(?<!\\p{L})(?:${[
    'nadž(?:iv|njev|upan|drel)',
    'odž(?:iv|al|vak|ubor)',
    'podž(?:anr|ar|ig|eć|upan|upn)',
    'predž(?:iv|etv)',
    '(?:dez|re|sub)?in(?:jek|jic)',
    '(?:de|re|ne)?kon(?:jug|junk)',
    'anjon',
    'tanjug',
    'vanjez',
  ].join('|')})`,
  'giu',
);

const LETTERS: ReadonlyMap<string, string> = new Map([
  ...Object.entries({ dž: 'џ', lj: 'љ', nj: 'њ', ǆ: 'џ', ǉ: 'љ', ǌ: 'њ', đ: 'ђ', ć: 'ћ', č: 'ч' }),
  ...Object.entries({ š: 'ш', ž: 'ж', a: 'а', b: 'б', v: 'в', g: 'г', d: 'д', e: 'е', z: 'з' }),
  ...Object.entries({ i: 'и', j: 'ј', k: 'к', l: 'л', m: 'м', n: 'н', o: 'о', p: 'п', r: 'р' }),
  ...Object.entries({ s: 'с', t: 'т', u: 'у', f: 'ф', h: 'х', c: 'ц' }),
]);

/** A digraph is a capital when its first letter is: Lj and LJ are both Љ. */
function cyrillicOf(latin: string): string {
  const small = LETTERS.get(latin.toLowerCase());
  if (small === undefined) return latin;
  const first = latin.charAt(0);
  return first === first.toLowerCase() ? small : small.toUpperCase();
}

function interleave(literals: readonly string[], verbatim: readonly string[]): string {
  return literals.map((literal, index) => literal + (verbatim[index] ?? '')).join('');
}
