/** Text in XML 1.0 documents, and in HTML. */

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

/** Text of HTML between tags or in quotes, with the references that templates write. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (sign) => `&${HTML_REFERENCES[sign] ?? sign};`);
}

const HTML_REFERENCES: Readonly<Record<string, string>> = {
  '&': 'amp',
  '<': 'lt',
  '>': 'gt',
  '"': '#34',
  "'": '#39',
};

/** Code units that no XML 1.0 document can hold, not even as a reference (XML 1.0 §2.2). */
const NOT_XML = /[\0-\x08\x0B\x0C\x0E-\x1F\uFFFE\uFFFF]/g;

/** Text between tags or in double quotes, of HTML too; what XML cannot hold becomes U+FFFD, so that it is seen to be missing. */
export function escapeXml(text: string): string {
  return xmlCharacters(text.replaceAll(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign));
}

/** The same of text whose signs are escaped already. */
export function xmlCharacters(text: string): string {
  return text.replaceAll(NOT_XML, '\uFFFD');
}
