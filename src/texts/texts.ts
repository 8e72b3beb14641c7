/**
 * The texts of every language: what comes with the service, and what the operator's folder `TEXTS_DIR` puts in its place
 * or adds (docs/translating.md). Each is read when it is first asked for, once a thread.
 */
import {
  languageFolders,
  operatorTexts,
  OUR_LANGUAGES,
  OUR_TEXTS,
  readText,
  WORDS_FILE,
  type MessageFile,
} from './files.js';
import { readMessages, type Messages, type Transform } from './messages.js';
import { inCyrillic, parseWords } from './transliterate.js';

/** A language tag (BCP 47) of `LANGUAGES`. */
export type Language = string;

/** Ours, then those that the operator has added, in alphabetical order. */
export const LANGUAGES: readonly Language[] = [
  ...new Set([...OUR_LANGUAGES, ...languageFolders(operatorTexts() ?? OUR_TEXTS)]),
];

const messages = new Map<string, Messages>();

/** The messages of a file. */
export function messagesOf(language: Language, file: MessageFile): Messages {
  const key = `${language}/${file}`;
  let made = messages.get(key);
  if (made === undefined) {
    const { text, transform } = readIn(language, `${file}.ftl`);
    made = readMessages(text, language, transform);
    messages.set(key, made);
  }
  return made;
}

/** How `Intl` formats texts of a language. */
export function localeOf(language: Language): string {
  return messagesOf(language, 'language')('locale');
}

/** What the operator says in several languages, in the given one: in another one where it is not said in this. */
export function inLanguage(
  texts: Readonly<Record<Language, string>>,
  language: Language,
): string | undefined {
  const latin = language === CYRILLIC ? texts[LATIN] : undefined;
  return texts[language] ?? (latin && cyrillic()(latin)) ?? texts['en'] ?? Object.values(texts)[0];
}

/** Serbian is written once: in Cyrillic script it is made by rule. */
const [LATIN, CYRILLIC] = OUR_LANGUAGES;

/** A text in a language, and what writes it in the language's script. @throws {RangeError} where there is none. */
export function readIn(
  language: Language,
  name: string,
): { readonly text: string; readonly transform: Transform | undefined } {
  const folders = [operatorTexts(), OUR_TEXTS];
  const text = readText(folders, `${language}/${name}`);
  if (text !== undefined) return { text, transform: undefined };
  const latin = language === CYRILLIC ? readText(folders, `${LATIN}/${name}`) : undefined;
  if (latin === undefined) throw new RangeError(`no text ${language}/${name}`);
  return { text: latin, transform: cyrillic() };
}

function cyrillic(): Transform {
  return inCyrillic(
    parseWords(readText([operatorTexts(), OUR_TEXTS], `${CYRILLIC}/${WORDS_FILE}`) ?? ''),
  );
}
