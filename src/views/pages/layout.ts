/** Header and footer of every page: operator, navigation, language, theme, notices. */
import { needsAttributionOnly, statedOperator } from '../../texts/operator.js';
import { LANGUAGES, localeOf, messagesOf } from '../../texts/texts.js';
import { licenseName, operatorName } from '../operator-links.js';
import { pageLink, THEMES, type NavigationItem, type PageStyle, type Site } from './page.js';

/** Identifies the page for links to other languages and themes. */
export interface PageLocation {
  /** Empty for a page that is shown at any path: its links are queries only, so they keep the requested path. */
  readonly path: string;
  /** Parameters that the links keep. */
  readonly parameters: Readonly<Record<string, string | number | undefined>>;
  /** Path of the page that the navigation marks as current. */
  readonly section: string;
  /** Name of the operator in the snapshot; undefined without a snapshot. */
  readonly operator: string | undefined;
}

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
    /** For scripts that format times. */
    locale: localeOf(style.language),
    theme: style.theme ?? 'auto',
    homeHref: pageLink('/', style),
    operator: operatorName(style.language, operator) ?? texts('no-operator'),
    /** Null without a homepage, as templates refuse undefined. */
    homepage: stated?.homepage ?? null,
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
