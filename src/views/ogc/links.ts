/** Links of documents, features and values. */

export const GEOJSON = 'application/geo+json';

export interface Link {
  readonly href: string;
  readonly rel: string;
  readonly type?: string;
  readonly title?: string | undefined;
}

/** The address of a query, some of whose parameters are changed. */
export function hrefWith(
  here: string,
  query: string,
  changes: Readonly<Record<string, string>> = {},
): string {
  const all = { ...Object.fromEntries(new URLSearchParams(query)), ...changes };
  const text = new URLSearchParams(all).toString();
  return `${here}${text === '' ? '' : '?'}${text}`;
}

export function pageLink(here: string, query = ''): Link {
  const href = hrefWith(here, query, { f: 'html' });
  return { href, rel: 'alternate', type: 'text/html', title: 'For people' };
}
