/** How `Intl` formats texts of each display language; scripts of pages use it too. */
import type { Language } from '../../snapshot/domain/model.js';

export const LOCALES = {
  'sr-Latn': 'sr-Latn',
  'sr-Cyrl': 'sr-Cyrl',
  // As it is written in Europe: 24 hours, the day before the month, European names of time zones.
  en: 'en-GB',
} as const satisfies Record<Language, string>;
