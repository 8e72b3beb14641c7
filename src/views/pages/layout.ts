/** Header and footer of every page: the operator's name, navigation, language, theme, and notices about the data. */
import { LANGUAGES, type Language } from '../../snapshot/domain/model.js';
import { FEED_PATH } from '../history/snapshots.js';
import { MESSAGES } from '../messages/languages.js';
import {
  LEGAL_PAGES,
  pageLink,
  THEMES,
  type LegalPage,
  type PageStyle,
  type Site,
} from './page.js';

/** Name of each language in that language. */
const LANGUAGE_NAMES = {
  'sr-Latn': 'Srpski',
  'sr-Cyrl': 'Српски',
  en: 'English',
} as const satisfies Record<Language, string>;

/** Identifies the page, so that links can lead to the same page in another language or theme. */
export interface Surroundings {
  readonly path: string;
  /** Parameters that these links keep. */
  readonly parameters: Readonly<Record<string, string | number | undefined>>;
  readonly current: 'portal' | 'documentation' | LegalPage;
  /** Undefined while there is no snapshot. */
  readonly operator: string | undefined;
}

/** Context of `templates/layout.liquid`, as `layout`. */
export function viewLayout(
  style: PageStyle,
  { assets }: Site,
  { path, parameters, current, operator }: Surroundings,
) {
  const texts = MESSAGES[style.language].layout;
  const here = (change: Partial<PageStyle>): string =>
    pageLink(path, { ...style, ...change }, parameters);
  return {
    texts,
    assets,
    language: style.language,
    theme: style.theme ?? 'auto',
    homeHref: pageLink('/', style),
    feedHref: FEED_PATH,
    operator: operator ?? texts.noOperator,
    navigation: [
      { label: texts.portal, href: pageLink('/', style), isCurrent: current === 'portal' },
      {
        label: texts.api,
        href: pageLink('/api-docs', style),
        isCurrent: current === 'documentation',
      },
    ],
    legal: LEGAL_PAGES.map((page) => ({
      label: texts.legal[page],
      href: pageLink(`/legal/${page}`, style),
      isCurrent: current === page,
    })),
    languages: LANGUAGES.map((language) => ({
      language,
      label: LANGUAGE_NAMES[language],
      href: here({ language }),
      isCurrent: language === style.language,
    })),
    themes: [undefined, ...THEMES].map((theme) => ({
      name: theme ?? 'auto',
      label: texts.themes[theme ?? 'auto'],
      href: here({ theme }),
      isCurrent: theme === style.theme,
    })),
  };
}
