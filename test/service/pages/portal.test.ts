/** The portal over HTTP: what comes back of what operators and address lines say. */
import fc from 'fast-check';
import t from 'tap';
import { NAMES, portalDocument } from '../../support/documents/portal-document.js';
import { inlineCode, invalidMarkup, visibleText } from '../../support/readers/html.js';
import { get } from '../../support/service/requests.js';
import { startServing } from '../../support/service/serve-documents.js';

void t.test('the portal', async (t) => {
  const service = await startServing(t, portalDocument(), { env: { DEFAULT_LANGUAGE: 'en' } });

  await t.test('names of operators are text, whatever they hold', async (t) => {
    const page = visibleText((await get(service, '/')).body.toString());
    for (const [index, name] of NAMES.entries()) {
      const { body } = await get(service, `/portal/station-modal?station_id=${index + 1}`);
      t.ok(visibleText(`<body>${body.toString()}`).includes(name), name);
      t.ok(page.includes(name), name);
    }
  });

  await t.test(
    'whatever the address line says, the answer is 200, and nothing comes back',
    async (t) => {
      const value = fc.oneof(
        fc.string({ unit: 'grapheme', maxLength: 20 }),
        fc.constantFrom(
          '"><script>',
          '-1',
          '1e9',
          '2',
          '9007199254740993',
          'sr-Latn',
          'dark',
          '1d',
        ),
      );
      const query = fc.record(
        Object.fromEntries(
          ['language', 'theme', 'station_id', 'component_id', 'window', 'sort', 'q'].map((name) => [
            name,
            value,
          ]),
        ),
        { requiredKeys: [] },
      );
      await fc.assert(
        fc.asyncProperty(
          query,
          fc.constantFrom('/', '/portal/station-modal'),
          async (asked, path) => {
            const text = new URLSearchParams(asked as Record<string, string>).toString();
            const answer = await get(service, `${path}?${text}`);
            const html = answer.body.toString();
            t.equal(answer.status, 200, text);
            const code = inlineCode(html.replaceAll(/="[^"<>]*"/g, '=""'));
            if (code !== undefined) throw new Error(code);
            if (html.includes('"><script>')) throw new Error('reflected');
            t.strictSame(invalidMarkup(html), [], text);
          },
        ),
        { numRuns: 150 },
      );
    },
  );
});
