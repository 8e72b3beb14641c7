/** Header and footer of every page: the operator's name, navigation, language, theme, and notices about the data. */
import { needsAttributionOnly, statedOperator } from '../../texts/operator.js';
import { LANGUAGES, localeOf, messagesOf } from '../../texts/texts.js';
import { licenseName, operatorName } from '../operator-links.js';
import { pageLink, THEMES, type NavigationItem, type PageStyle, type Site } from './page.js';

/** Identifies the page, so that links can lead to the same page in another language or theme. */
export interface PageLocation {
  /** Empty where the page can stand at any path: these links keep the one that was requested. */
  readonly path: string;
  /** Parameters that these links keep. */
  readonly parameters: Readonly<Record<string, string | number | undefined>>;
  /** Path of the page that navigation marks as the current one. */
  readonly section: string;
  /** Undefined while there is no snapshot. */
  readonly operator: string | undefined;
}

/** Context of `templates/layout.liquid`, as `layout`. */
export function viewLayout(
  style: PageStyle,
  { assets, hasArchive, navigation }: Site,
  { path, parameters, section, operator }: PageLocation,
) {
  const texts = messagesOf(style.language, 'layout');
  const stated = statedOperator();
  const license = licenseName(style.language);
  const here = (change: Partial<PageStyle>): string =>
    pageLink(path, { ...style, ...change }, parameters);
  const linksIn = (place: NavigationItem['places'][number]) =>
    navigation
      .filter(({ places, isArchived }) => places.includes(place) && (hasArchive || !isArchived))
      .map(({ label, path: to }) => ({
        label: texts(label),
        href: pageLink(to, style),
        isCurrent: to === section,
      }));
  return {
    texts: texts.plain(),
    assets,
    language: style.language,
    /** For scripts, which format times. */
    locale: localeOf(style.language),
    theme: style.theme ?? 'auto',
    homeHref: pageLink('/', style),
    operator: operatorName(style.language, operator) ?? texts('no-operator'),
    /** Homepage of the operator; null without one, because templates do not accept undefined. */
    homepage: stated?.homepage ?? null,
    /** Conditions of reuse. */
    reuse: [
      ...(needsAttributionOnly(stated) ? [texts('reuse')] : []),
      ...(license === undefined ? [] : [texts('reuse-license', { license })]),
    ],
    navigation: linksIn('header'),
    footer: linksIn('footer'),
    languages: LANGUAGES.map((language) => ({
      language,
      label: messagesOf(language, 'language')('name'),
      href: here({ language }),
      isCurrent: language === style.language,
    })),
    themes: [undefined, ...THEMES].map((theme) => ({
      name: theme ?? 'auto',
      label: texts(`theme-${theme ?? 'auto'}`),
      href: here({ theme }),
      isCurrent: theme === style.theme,
    })),
  };
}
