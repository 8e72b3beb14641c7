/** `GET /api/v1/data-dictionary` (spec, "Data dictionary"): needs no snapshot, and never changes while a process lives. */
import { LANGUAGES, type Language } from '../../snapshot/model.js';
import { viewDataDictionary } from '../../views/hvd/dictionary.js';
import { Document } from '../document.js';

/** Where a request names no language (spec, "HVD API"). */
const DEFAULT_LANGUAGE: Language = 'sr-Latn';

const DICTIONARIES = new Map(
  LANGUAGES.map((language) => [
    language,
    new Document('application/json', JSON.stringify(viewDataDictionary(language))),
  ]),
);

export function dictionaryIn(language: Language = DEFAULT_LANGUAGE): Document {
  const dictionary = DICTIONARIES.get(language);
  if (dictionary === undefined) throw new RangeError(`no dictionary in ${language}`);
  return dictionary;
}
