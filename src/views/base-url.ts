/** Absolute links of documents: a placeholder in documents of the build, and the base URL as JSON text. */

/** Fixed placeholder for the base URL, for texts that contain no text of a snapshot, such as the sitemap. */
export const BASE_URL_PLACEHOLDER = '<base-url>';

/** The base URL in a JSON string, without a slash at its end. */
export function baseUrlText(baseUrl: string): string {
  return JSON.stringify(baseUrl.replace(/(?<!\/)\/+$/, '')).slice(1, -1);
}
