/** Normalizes text for the search for stations, on the server and in the browser. */

/** The same text for all spellings of a name: `Čačak`, `cacak` and `Чачак` are equal. */
export function normalizeForSearch(text: string): string {
  return text
    .toLowerCase()
    .replace(/[а-џ]/g, (letter) => LATIN.get(letter) ?? letter)
    .replaceAll('đ', 'dj')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .trim();
}

const LATIN: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ а: 'a', б: 'b', в: 'v', г: 'g', д: 'd', ђ: 'dj', е: 'e', ж: 'z', з: 'z', и: 'i', ј: 'j' },
    ...{ к: 'k', л: 'l', љ: 'lj', м: 'm', н: 'n', њ: 'nj', о: 'o', п: 'p', р: 'r', с: 's', т: 't' },
    ...{ ћ: 'c', у: 'u', ф: 'f', х: 'h', ц: 'c', ч: 'c', џ: 'dz', ш: 's' },
  }),
);
