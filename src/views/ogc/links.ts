/** Links of documents, features and values. */

export const GEOJSON = 'application/geo+json';
export const COVERAGEJSON = 'application/prs.coverage+json';

export interface Link {
  readonly href: string;
  readonly rel: string;
  readonly type?: string;
  readonly title?: string | undefined;
}

export function linkTo(href: string, rel: string, title: string, type = 'application/json'): Link {
  return { href, rel, type, title };
}

/** A link to the answer as HTML. */
export function pageLink(here: string, query = ''): Link {
  return linkTo(hrefWith(here, query, { f: 'html' }), 'alternate', 'For people', 'text/html');
}

/** The URL of a query with some parameters replaced. */
export function hrefWith(
  here: string,
  query: string,
  changes: Readonly<Record<string, string>> = {},
): string {
  const all = { ...Object.fromEntries(new URLSearchParams(query)), ...changes };
  const text = new URLSearchParams(all).toString();
  return `${here}${text === '' ? '' : '?'}${text}`;
}
