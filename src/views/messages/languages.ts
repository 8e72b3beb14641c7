/** The messages of every display language (docs/contributing.md, "Add a language"). */
import type { Language } from '../../snapshot/domain/model.js';
import { inCyrillic, inLatin } from '../transliterate.js';
import { english } from './en.js';
import type { Messages } from './message-catalogue.js';
import { serbian } from './sr-latn.js';

export const MESSAGES: Readonly<Record<Language, Messages>> = {
  'sr-Latn': serbian(inLatin),
  'sr-Cyrl': serbian(inCyrillic),
  en: english,
};
