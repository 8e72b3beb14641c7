/** The address of the present state of the portal, for scripts that change or request it. */

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
