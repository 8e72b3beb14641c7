/** `GET /api/v1/data-dictionary` (spec, "Data dictionary"): needs no snapshot, and never changes while a process lives. */
import { gzipSync } from 'node:zlib';
import { LANGUAGES, type Language } from '../../snapshot/domain/model.js';
import { viewDataDictionary } from '../../views/hvd/dictionary.js';
import { JSON_TYPE, LINK } from '../semantics/common-headers.js';
import { Document } from '../answers/static-answer.js';

/** Where a request names no language (spec, "HVD API"). */
const DEFAULT_LANGUAGE: Language = 'sr-Latn';

const DICTIONARIES = new Map(
  LANGUAGES.map((language) => [language, documentOf(JSON.stringify(viewDataDictionary(language)))]),
);

function documentOf(json: string): Document {
  const bytes = Buffer.from(json);
  return new Document({
    bytes,
    gzip: gzipSync(bytes, { level: 9 }),
    cacheControl: 'public, max-age=300, stale-while-revalidate=86400',
    fields: [JSON_TYPE, LINK],
  });
}

export function dictionaryIn(language: Language = DEFAULT_LANGUAGE): Document {
  const dictionary = DICTIONARIES.get(language);
  if (dictionary === undefined) throw new RangeError(`no dictionary in ${language}`);
  return dictionary;
}
