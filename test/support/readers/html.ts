/** Reads the HTML of a page without a browser. */

export function addressesIn(html: string): readonly string[] {
  return [...html.matchAll(/\s(?:href|src)="([^"]*)"/g)].map(([, address = '']) =>
    unescapeHtml(address),
  );
}

export function visibleText(html: string): string {
  const body = html.slice(html.indexOf('<body'));
  return unescapeHtml(body.replaceAll(/<[^>]*>/g, '')).replaceAll(/\s+/g, ' ');
}

/** The first inline code that a strict Content-Security-Policy would refuse. */
export function inlineCode(html: string): string | undefined {
  return /<script(?![^>]*\s(?:src=|type="application\/ld\+json"))[^>]*>|<style|<[a-z][^>]*\s(?:style|on[a-z]+)=|javascript:/i.exec(
    html,
  )?.[0];
}

/** Invalid markup that browsers accept: repeated ids, `hidden` on parts of drawings. */
export function invalidMarkup(html: string): readonly string[] {
  const ids = [...html.matchAll(/<[a-z][^>]*\sid="([^"]*)"/g)].map(([, id = '']) => id);
  const drawings = [...html.matchAll(/<svg[\s>].*?<\/svg>/gs)].map(([drawing]) => drawing);
  const tags = drawings.flatMap((drawing) => drawing.match(/<[a-z](?:[^>"]|"[^"]*")*>/g) ?? []);
  return [
    ...ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `second id ${id}`),
    ...tags.filter((tag) => /\shidden(?=[\s=>/])/.test(tag.replaceAll(/"[^"]*"/g, '""'))),
  ];
}

export function unescapeHtml(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&#34;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}
