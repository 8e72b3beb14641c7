/** What a search compares: by pages, and by their script as one types. */

/** One text for all that people type for it: `Čačak`, `cacak` and `Чачак` are the same. */
export function folded(text: string): string {
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
