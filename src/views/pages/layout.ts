/** What is around every page: the operator's name, the way to the other pages, language, theme, and what the data are. */
import { LANGUAGES, type Language } from '../../snapshot/domain/model.js';
import { MESSAGES } from '../messages/languages.js';
import {
  LEGAL_PAGES,
  pageLink,
  THEMES,
  type LegalPage,
  type PageStyle,
  type Site,
} from './page.js';

/** Each language in itself. */
const LANGUAGE_NAMES = {
  'sr-Latn': 'Srpski',
  'sr-Cyrl': 'Српски',
  en: 'English',
} as const satisfies Record<Language, string>;

/** Which page it is, so that its links lead to itself in another language. */
export interface Surroundings {
  readonly path: string;
  /** What the page's links keep beside language and theme. */
  readonly parameters: Readonly<Record<string, string | number | undefined>>;
  readonly current: 'portal' | 'documentation' | LegalPage;
  /** Undefined without a snapshot. */
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
