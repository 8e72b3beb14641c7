/** Text in XML 1.0 documents, and in HTML. */

/** As templates write them. */
const REFERENCES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&#34;',
  "'": '&#39;',
};

/** Signs that HTML has a reference for. */
const SIGNS = /[&<>"']/g;

/** Signs, and code units that no XML 1.0 document can hold, not even as a reference (XML 1.0 §2.2). */
const MARKUP = /[&<>"'\0-\x08\x0B\x0C\x0E-\x1F\uFFFE\uFFFF]/g;
const NOT_XML = /[\0-\x08\x0B\x0C\x0E-\x1F\uFFFE\uFFFF]/g;

/** Text between tags or in quotes; what XML cannot hold becomes U+FFFD, so that it is seen to be missing. */
export function escapeMarkup(text: string): string {
  return text.replaceAll(MARKUP, (sign) => REFERENCES[sign] ?? '\uFFFD');
}

/** Text between tags or in quotes of HTML, which holds any character. */
export function escapeHtml(text: string): string {
  return text.replaceAll(SIGNS, (sign) => REFERENCES[sign] ?? sign);
}

/** The text with U+FFFD for each character that XML cannot hold; its signs are escaped elsewhere. */
export function xmlCharacters(text: string): string {
  return text.replaceAll(NOT_XML, '\uFFFD');
}
