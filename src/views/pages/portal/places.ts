/** The towns of the map for searches, on the server and in a page's script. */
import { transliterate } from '../../../texts/transliterate.js';
import type { Language } from '../../../texts/texts.js';
import type { Town } from '../map/base-map.js';
import type { Place } from './search.js';
import { sharedValues } from './shared.js';

/** Cached places by script. */
const places = sharedValues<readonly Place[]>(2);

/** Towns with their names in the script of the language, in the same order. */
export function placesOf(towns: readonly Town[], language: Language): readonly Place[] {
  const isCyrillic = language === 'sr-Cyrl';
  return places(towns, String(isCyrillic), () =>
    towns.map(({ name, inBothScripts, latitude, longitude }) => ({
      name: inBothScripts && isCyrillic ? transliterate(name) : name,
      latitude,
      longitude,
    })),
  );
}
