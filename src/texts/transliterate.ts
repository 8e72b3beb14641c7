/** Writes Latin Serbian in Cyrillic script. No maintained library knows the words below, or foreign words. */
export function transliterate(latin: string): string {
  return latin
    .normalize('NFC')
    .replace(APART, (word) => word.replace(/[dn](?=[jž])/iu, `$&${SEPARATOR}`))
    .replace(/dž|lj|nj|\p{L}/giu, (letter) => cyrillicOf(letter))
    .replaceAll(SEPARATOR, '');
}

/** ZERO WIDTH NON-JOINER: separates two letters that would be a digraph. */
const SEPARATOR = '\u200C';

/** Beginnings of words whose `nj` or `dž` is two letters, after a prefix or in a foreign word. */
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

/** The first letter decides on the capital: Lj and LJ are both Љ. */
function cyrillicOf(latin: string): string {
  const small = LETTERS.get(latin.toLowerCase());
  if (small === undefined) return latin;
  const first = latin.charAt(0);
  return first === first.toLowerCase() ? small : small.toUpperCase();
}

/** Exceptions from the rule, by their Latin spelling; most stay in Latin. */
export type CyrillicWords = ReadonlyMap<string, string>;

/** Parses lines such as `Linux`, which stays, and `RS = РС`; # begins a comment. */
export function parseWords(text: string): CyrillicWords {
  const lines = text.split('\n').map((line) => line.trim());
  return new Map(
    lines
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => {
        const [latin = '', cyrillic = latin] = line.split(/\s*=\s*/);
        return [latin, cyrillic];
      }),
  );
}

/** Tokens of a text: placeholders, fragments, code and addresses, which stay; and words. */
const TOKEN = new RegExp(
  [
    String.raw`\{\{[^}]*\}\}`,
    String.raw`\{#[\w-]+\}`,
    '`[^`]*`',
    String.raw`\]\([^)]*\)`,
    String.raw`(?:https?://|mailto:)[^\s)]+`,
    String.raw`[\w.+-]+@[\w.-]+`,
    String.raw`(?<![\p{L}\p{N}])/[\w./?=-]+`,
    String.raw`(?<word>[\p{L}\p{N}_]+(?:\.[a-z]+)?)`,
  ].join('|'),
  'gu',
);

/** Words that stay: with digits, underscores, two capitals or foreign letters, and names of fields. */
const FOREIGN = /[\p{N}_]|\p{Lu}.*\p{Lu}|[qwxy]|^[a-z]+\./u;

/** A function that transliterates a text by the rule and its exceptions. */
export function inCyrillic(words: CyrillicWords): (text: string) => string {
  const write = (text: string): string =>
    text.normalize('NFC').replace(TOKEN, (token, ...more) => {
      const { word } = more.at(-1) as { readonly word: string | undefined };
      if (word === undefined) return token;
      return words.get(word) ?? (FOREIGN.test(word) ? word : transliterate(word));
    });
  const phrases = [...words.keys()].filter((word) => /[^\p{L}\p{N}_]/u.test(word));
  if (phrases.length === 0) return write;
  const escaped = phrases
    .toSorted((a, b) => b.length - a.length)
    .map((phrase) => phrase.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  const listed = new RegExp(`(?<![\\p{L}\\p{N}_])(${escaped.join('|')})(?![\\p{L}\\p{N}_])`, 'u');
  // Every second part is a phrase.
  return (text) =>
    text
      .split(listed)
      .map((part, index) => (index % 2 === 0 ? write(part) : (words.get(part) ?? part)))
      .join('');
}
