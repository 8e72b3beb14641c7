/** Addresses, for scripts: of this service, and of the present state of the portal. */

/** The root of this service, which need not be that of its host, with a slash at its end: scripts lie in a folder below it. */
export const ROOT = new URL('..', import.meta.url);

/**
 * Always with a language, so that the page stays in its own one: the bare `/` is in the language that the browser prefers,
 * and any other address without a language in that of the operator.
 */
export function currentAddress(): URL {
  const url = new URL(location.href);
  if (!url.searchParams.has('language')) {
    url.searchParams.set('language', document.documentElement.lang);
  }
  return url;
}
