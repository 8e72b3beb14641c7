/** The page for missing content: a notice and the search. */
import { messagesOf } from '../../texts/texts.js';
import { pageLink, SEARCH_LENGTH_MAX } from '../../views/pages/page.js';
import { textPage, type ViewSource } from '../view.js';
import type { NotFoundState } from './not-found.js';

export function render(state: NotFoundState, source: ViewSource): string {
  return textPage('not-found', viewNotFoundPage(state), state, source);
}

function viewNotFoundPage({ what, ...style }: NotFoundState) {
  const texts = messagesOf(style.language, 'portal');
  const layoutTexts = messagesOf(style.language, 'layout');
  const { language, theme } = style;
  return {
    texts: texts.plain(),
    title: texts(`no-${what}`),
    sentence: texts(`no-${what}-more`),
    search: {
      lengthMax: SEARCH_LENGTH_MAX,
      hidden: [
        { name: 'language', value: language },
        ...(theme === undefined ? [] : [{ name: 'theme', value: theme }]),
      ],
    },
    links: [
      { label: layoutTexts('portal'), href: pageLink('/', style) },
      { label: layoutTexts('api'), href: pageLink('/api-docs', style) },
    ],
  };
}
