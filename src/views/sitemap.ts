/** `/sitemap.xml` (sitemaps.org), with a placeholder for the base URL, and `/robots.txt` (RFC 9309). */
import { LANGUAGES } from '../texts/texts.js';
import { BASE_URL_PLACEHOLDER } from './base-url.js';
import { pageLink } from './pages/page.js';

/** Path prefix of the portal's images, files and parts of pages. */
export const PARTS = '/portal/';

/** Query parameters with endless variations of a page. */
const VARYING = 'compare figure from hour parameter_code q sort theme to wind window year'.split(
  ' ',
);

/** Parts of pages, and files rendered on request. */
const ON_REQUEST = [
  ...['days.csv', 'episode.csv', 'export', 'station-modal', 'station.xlsx'].map(
    (name) => PARTS + name,
  ),
  ...['archive/daily.csv', 'changes?', 'daily.csv', 'events', 'monthly.csv', 'observations'].map(
    (name) => `/api/v1/${name}`,
  ),
  '/measurements',
];

/** Images in pages and link previews, in any window and theme. */
const PICTURES = [`${PARTS}chart.`, `${PARTS}map.`];

/** Parameters with endless variations of a picture; their patterns are longer than those that allow pictures. */
const VARYING_PICTURES = ['compare', 'from', 'height', 'to', 'width'];

/**
 * `/robots.txt`: the longest matching pattern decides (RFC 9309 §2.2.2), and crawlers read it at the root of a host.
 *
 * @param baseUrl without a slash at its end.
 */
export function viewRobots(baseUrl: string): string {
  const prefix = new URL(baseUrl).pathname.replace(/\/$/, '');
  const withParameter = (path: string) => (name: string) => [
    `${path}?${name}=`,
    `${path}&${name}=`,
  ];
  const disallowed = [
    ...VARYING.flatMap(withParameter('/*')),
    ...ON_REQUEST,
    ...VARYING_PICTURES.flatMap(withParameter(`${PARTS}chart.*`)),
  ];
  return [
    'User-agent: *',
    ...disallowed.map((pattern) => `Disallow: ${prefix}${pattern}`),
    ...[...PICTURES, '/'].map((pattern) => `Allow: ${prefix}${pattern}`),
    '',
    `Sitemap: ${baseUrl}/sitemap.xml`,
    '',
  ].join('\n');
}

/** A page, and whether it needs an archive. */
export interface ListedPage {
  readonly path: string;
  readonly isArchived: boolean;
}

/** Every page in every language; `x-default` is the page without a language parameter. */
export function viewSitemap(pages: readonly ListedPage[], hasArchive: boolean): string {
  const paths = pages.filter(({ isArchived }) => hasArchive || !isArchived).map(({ path }) => path);
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
    // The language is the only parameter, so the address contains nothing to escape.
    href: BASE_URL_PLACEHOLDER + pageLink(path, { language, theme: undefined }),
  }));
  const alternates = [...pages, { language: 'x-default', href: BASE_URL_PLACEHOLDER + path }]
    .map(
      ({ language, href }) => `<xhtml:link rel="alternate" hreflang="${language}" href="${href}"/>`,
    )
    .join('');
  return pages.map(({ href }) => `<url><loc>${href}</loc>${alternates}</url>`);
}
