/** Strict reader of sitemaps (sitemaps.org) with languages. */
import assert from 'node:assert/strict';
import { elementsIn, parseXml, textIn } from './xml.js';

const SITEMAP = '{http://www.sitemaps.org/schemas/sitemap/0.9}';
const XHTML = '{http://www.w3.org/1999/xhtml}';

interface SitemapUrl {
  readonly loc: string;
  readonly alternates: Readonly<Record<string, string>>;
}

/** Entries in order. @throws {AssertionError} for unknown elements and attributes. */
export function readSitemap(xml: Uint8Array): readonly SitemapUrl[] {
  const root = parseXml(xml);
  assert.equal(root.tag, `${SITEMAP}urlset`);
  assert.deepEqual(root.attributes, {});
  return elementsIn(root).map((url) => {
    assert.equal(url.tag, `${SITEMAP}url`);
    const [loc, ...links] = elementsIn(url);
    assert(loc?.tag === `${SITEMAP}loc`);
    const alternates = links.map(({ tag, attributes }): [string, string] => {
      const { href = '', hreflang = '', rel, ...others } = attributes;
      assert.deepEqual([tag, rel, others], [`${XHTML}link`, 'alternate', {}]);
      assert(href !== '' && hreflang !== '');
      return [hreflang, href];
    });
    assert.equal(new Map(alternates).size, alternates.length, 'no language twice');
    return { loc: textIn(loc), alternates: Object.fromEntries(alternates) };
  });
}
