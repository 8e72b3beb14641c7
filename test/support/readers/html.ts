/** Readers of the HTML of a page without a browser. */

/** Addresses of all links and of all that the page loads, in order. */
export function addressesIn(html: string): readonly string[] {
  return [...html.matchAll(/\s(?:href|src)="([^"]*)"/g)].map(([, address = '']) =>
    unescapeHtml(address),
  );
}

/** Text between tags, as a reader sees it. */
export function visibleText(html: string): string {
  const body = html.slice(html.indexOf('<body'));
  return unescapeHtml(body.replaceAll(/<[^>]*>/g, '')).replaceAll(/\s+/g, ' ');
}

/** The first piece of code that a strict Content-Security-Policy would refuse. */
export function inlineCode(html: string): string | undefined {
  return /<script(?![^>]*\ssrc=)[^>]*>|<style|<[a-z][^>]*\s(?:style|on[a-z]+)=|javascript:/i.exec(
    html,
  )?.[0];
}

/**
 * Markup that HTML does not allow and no browser complains about: an id that is given twice, `hidden` on parts of
 * drawings.
 */
export function invalidMarkup(html: string): readonly string[] {
  const ids = [...html.matchAll(/<[a-z][^>]*\sid="([^"]*)"/g)].map(([, id = '']) => id);
  const drawings = [...html.matchAll(/<svg[\s>].*?<\/svg>/gs)].map(([drawing]) => drawing);
  const tags = drawings.flatMap((drawing) => drawing.match(/<[a-z](?:[^>"]|"[^"]*")*>/g) ?? []);
  return [
    ...ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `second id ${id}`),
    ...tags.filter((tag) => /\shidden(?=[\s=>/])/.test(tag.replaceAll(/"[^"]*"/g, '""'))),
  ];
}

/** Text as it was before a template escaped it. */
export function unescapeHtml(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&#34;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}
