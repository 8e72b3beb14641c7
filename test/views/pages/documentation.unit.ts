/** Documentation pages as data: their words in every language, and where they lead. */
import t from 'tap';
import { LANGUAGES } from '../../../src/texts/texts.js';
import { viewDocumentationPage } from '../../../src/views/pages/documentation-page.js';
import { DOCUMENTATION_PAGES } from '../../../src/views/pages/page.js';
import { latinWords, linksOf, textOf } from '../../support/readers/prose-reader.js';

void t.test(
  '/api-docs begins with three calls and leads to all that describes the data',
  async (t) => {
    for (const language of LANGUAGES) {
      const { sections } = viewDocumentationPage({
        name: 'api-docs',
        style: { language, theme: undefined },
      });
      const [, commands = ''] =
        /<pre class="commands"[^>]*><code>(.*?)\n<\/code>/s.exec(sections[0]?.html ?? '') ?? [];
      const lines = commands.split('\n');
      t.equal(lines.length, 3);
      for (const line of lines) t.match(line, /^curl .*\$BASE_URL\//);
      const links = linksOf(sections);
      for (const path of ['/api/v1/dcat', '/api/v1/bulk', '/openapi.json'])
        t.ok(links.includes(path));
      t.ok(links.includes(`/api/v1/data-dictionary?language=${language}`));
      t.match(textOf(sections), /ETag/);
    }
  },
);

void t.test('Cyrillic pages have no Latin words but names and codes', async (t) => {
  for (const name of DOCUMENTATION_PAGES) {
    const page = viewDocumentationPage({ name, style: { language: 'sr-Cyrl', theme: undefined } });
    const words = [page.title, page.description, page.viewerHeading, page.note, page.loading];
    const html = [page.withoutScripts, page.failed].join('\n');
    const all = [...page.sections, { heading: words.join('\n'), html }];
    t.strictSame(latinWords(all, []), [], name);
  }
});
