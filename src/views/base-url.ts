/** Renders texts with absolute links at import, as chunks between which a request's base URL is inserted. */

/** JSON text without the base URL: the whole text is `chunks.join(baseUrlText(baseUrl))`. */
export type TextChunks = readonly string[];

/**
 * Renders the result of `build` as JSON, split where the base URL belongs. `build` gets a function that makes an
 * absolute IRI of a path.
 *
 * @param input all texts that `build` uses; the placeholder for the base URL is a text that they do not contain.
 */
export function renderChunks(
  input: unknown,
  build: (iri: (path: string) => string) => unknown,
): TextChunks {
  const texts = JSON.stringify(input);
  let number = 0;
  while (texts.includes(placeholder(number))) number += 1;
  const base = placeholder(number);
  return JSON.stringify(build((path) => base + path)).split(base);
}

/** Fixed placeholder for the base URL, for texts that contain no text of a snapshot, such as the sitemap. */
export const BASE_URL_PLACEHOLDER = '<base-url>';

/** The base URL in a JSON string, without a slash at its end. */
export function baseUrlText(baseUrl: string): string {
  return JSON.stringify(baseUrl.replace(/(?<!\/)\/+$/, '')).slice(1, -1);
}

function placeholder(number: number): string {
  return `<base-url-${number}>`;
}
