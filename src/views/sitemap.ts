/** What crawlers are told of the pages: `/sitemap.xml` (sitemaps.org), with a placeholder for the base URL, and `/robots.txt` (RFC 9309). */
import { LANGUAGES } from '../texts/texts.js';
import { BASE_URL_PLACEHOLDER } from './base-url.js';
import { pageLink } from './pages/page.js';

/** Under it are the parts of pages, which are no pages of their own. */
export const PARTS = '/portal/';

/** The same pages in another order, theme or window, without end; and what is made for whoever asks. */
const DISALLOWED = [
  '/*?*sort=',
  '/*?*theme=',
  '/*?*window=',
  `${PARTS}export`,
  `${PARTS}station-modal`,
];

/** What pages show, and what a link is previewed with, in any window and theme. The longest pattern wins (RFC 9309 §2.2.2). */
const ALLOWED = [`${PARTS}chart.`, '/'];

/** Crawlers read it at the root of a host only, so its paths are those of the host. @param baseUrl without a slash at its end. */
export function viewRobots(baseUrl: string): string {
  const prefix = new URL(baseUrl).pathname.replace(/\/$/, '');
  return [
    'User-agent: *',
    ...DISALLOWED.map((pattern) => `Disallow: ${prefix}${pattern}`),
    ...ALLOWED.map((pattern) => `Allow: ${prefix}${pattern}`),
    '',
    `Sitemap: ${baseUrl}/sitemap.xml`,
    '',
  ].join('\n');
}

/** Every page in every language; `x-default` is the one that the operator has chosen. */
export function viewSitemap(paths: readonly string[]): string {
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">',
    ...paths.flatMap(urlsOf),
    '</urlset>',
    '',
  ].join('\n');
}

function urlsOf(path: string): readonly string[] {
  const pages = LANGUAGES.map((language) => ({
    language,
    // Language is the only parameter, so there is nothing to escape.
    href: BASE_URL_PLACEHOLDER + pageLink(path, { language, theme: undefined }),
  }));
  const alternates = [...pages, { language: 'x-default', href: BASE_URL_PLACEHOLDER + path }]
    .map(
      ({ language, href }) => `<xhtml:link rel="alternate" hreflang="${language}" href="${href}"/>`,
    )
    .join('');
  return pages.map(({ href }) => `<url><loc>${href}</loc>${alternates}</url>`);
}
