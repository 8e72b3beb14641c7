/** Escapes text for XML 1.0 and HTML. */

const REFERENCES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&#34;',
  "'": '&#39;',
};

/** Characters with a reference in HTML. */
const SIGNS = /[&<>"']/g;

/** Markup characters, and code units that XML 1.0 excludes even as references (XML 1.0 §2.2). */
const MARKUP = /[&<>"'\0-\x08\x0B\x0C\x0E-\x1F\uFFFE\uFFFF]/g;
const NOT_XML = /[\0-\x08\x0B\x0C\x0E-\x1F\uFFFE\uFFFF]/g;

/** Text between tags or in quotes; excluded characters become U+FFFD, which shows their loss. */
export function escapeMarkup(text: string): string {
  return text.replaceAll(MARKUP, (sign) => REFERENCES[sign] ?? '\uFFFD');
}

/** Text between tags or in quotes of HTML, which allows any character. */
export function escapeHtml(text: string): string {
  return text.replaceAll(SIGNS, (sign) => REFERENCES[sign] ?? sign);
}

/** Replaces characters that are not allowed in XML with U+FFFD; escapes nothing. */
export function xmlCharacters(text: string): string {
  return text.replaceAll(NOT_XML, '\uFFFD');
}
