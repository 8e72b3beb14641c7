/** The texts of every language, the service's and those of `TEXTS_DIR` (docs/translating.md), read at first use. */
import {
  knownLanguages,
  operatorTexts,
  OUR_LANGUAGES,
  OUR_TEXTS,
  readText,
  WORDS_FILE,
  type MessageFile,
} from './text-files.js';
import { cached } from './cached.js';
import { statedOperator } from './operator.js';
import { readMessages, type Messages, type Transform } from './fluent-messages.js';
import { inCyrillic, parseWords } from './transliterate.js';

export type Language = string;

/** The languages that are offered. */
export const LANGUAGES: readonly Language[] = statedOperator()?.languages ?? knownLanguages();

/** The language if it is offered, else the first that is. */
export function offered(language: Language): Language {
  return LANGUAGES.includes(language) ? language : (LANGUAGES[0] ?? language);
}

const messages = cached((language: Language) =>
  cached((file: MessageFile) => {
    const { text, transform } = readIn(language, `${file}.ftl`);
    return readMessages(text, language, transform);
  }),
);

export function messagesOf(language: Language, file: MessageFile): Messages {
  return messages(language)(file);
}

/** The locale for `Intl`. */
export function localeOf(language: Language): string {
  return messagesOf(language, 'language')('locale');
}

/** The operator's text in the given language, or else in another one. */
export function inLanguage(
  texts: Readonly<Record<Language, string>>,
  language: Language,
): string | undefined {
  const latin = language === CYRILLIC ? texts[LATIN] : undefined;
  return texts[language] ?? (latin && cyrillic()(latin)) ?? texts['en'] ?? Object.values(texts)[0];
}

/** Serbian texts are written in Latin, and transliterated to Cyrillic. */
const [LATIN, CYRILLIC] = OUR_LANGUAGES;

interface LanguageText {
  readonly text: string;
  /** Transliterates the text; undefined where it has the right script. */
  readonly transform: Transform | undefined;
  readonly isOwn: boolean;
}

/** @throws {RangeError} for an unknown text. */
export function readIn(language: Language, name: string): LanguageText {
  const own = findIn(language, name);
  if (own !== undefined) return { ...own, transform: undefined };
  const latin = language === CYRILLIC ? findIn(LATIN, name) : undefined;
  if (latin === undefined) throw new RangeError(`no text ${language}/${name}`);
  return { ...latin, transform: cyrillic() };
}

function findIn(language: Language, name: string): Omit<LanguageText, 'transform'> | undefined {
  const path = `${language}/${name}`;
  const own = readText([operatorTexts()], path);
  const text = own ?? readText([OUR_TEXTS], path);
  return text === undefined ? undefined : { text, isOwn: own !== undefined };
}

function cyrillic(): Transform {
  return inCyrillic(
    parseWords(readText([operatorTexts(), OUR_TEXTS], `${CYRILLIC}/${WORDS_FILE}`) ?? ''),
  );
}
