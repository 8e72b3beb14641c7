/**
 * Texts that name the service's own address, made before the address is known.
 *
 * A text is rendered once, at import, in pieces; the base URL of a request goes between them. The bytes of the
 * whole are those of the pieces and one base URL less than there are pieces.
 */

/** JSON text without the base URL: `pieces.join(baseUrlText(baseUrl))` is the whole. At least one piece. */
export type PiecesOfText = readonly string[];

/**
 * Renders `value` as JSON, cut where the base URL belongs.
 *
 * `build` gets a function that makes an absolute IRI of a path, which it may put into any string of its result.
 * `input` is all that `build` takes texts from: the mark that stands for the base URL is one that does not occur
 * there, so that no text of a document can be taken for it.
 */
export function renderPieces<T>(
  input: T,
  build: (input: T, iri: (path: string) => string) => unknown,
): PiecesOfText {
  const texts = JSON.stringify(input);
  let number = 0;
  while (texts.includes(mark(number))) number += 1;
  const base = mark(number);
  return JSON.stringify(build(input, (path) => base + path)).split(base);
}

/** Stands for the base URL in the OpenAPI document, which holds no text of a snapshot. */
export const BASE_URL_PLACEHOLDER = '<base-url>';

/** The base URL as it stands inside a JSON string, without a slash at its end. */
export function baseUrlText(baseUrl: string): string {
  return JSON.stringify(baseUrl.replace(/\/+$/, '')).slice(1, -1);
}

function mark(number: number): string {
  return `<base-url-${number}>`;
}
