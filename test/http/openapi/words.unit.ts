/** The words of the API's documentation: every operation and parameter has its own, and none are left over. */
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { readWords } from '../../../src/http/openapi/words.js';
import { DOCUMENTED_ENDPOINTS } from '../../../src/http/routes/routes.js';

void t.test('an operation has its own words of a parameter before those of all', async (t) => {
  const { title, introduction, endpoints } = readWords('texts/openapi', DOCUMENTED_ENDPOINTS);
  t.match(title, /^Open data/);
  t.ok(introduction.length > 1000);
  const wordsOf = (id: string): string | undefined =>
    endpoints.find(({ operation }) => operation.id === id)?.parameters['language']?.description;
  t.match(wordsOf('getPortal'), /^One of sr-Latn, sr-Cyrl, en; /);
  t.match(wordsOf('getDataDictionary'), /^Language of titles/);
});

void t.test('missing words, and words of nothing, are refused by name', async (t) => {
  for (const [file, old, changed, message] of [
    ['operations.md', '## getCatalog\n', '', /getCatalog$/],
    ['operations.md', /$/, '\n## getNothing\n\nNothing\n', /getNothing$/],
    ['parameters.md', '## bbox\n', '## box\n', /bbox$/],
    ['parameters.md', /$/, '\n### getNothing\n\nNothing.\n', /getNothing$/],
  ] as const) {
    const folder = t.testdir();
    await cp('texts/openapi', folder, { recursive: true });
    const text = await readFile(join(folder, file), 'utf8');
    await writeFile(join(folder, file), text.replace(old, changed));
    t.throws(() => readWords(folder, DOCUMENTED_ENDPOINTS), { message });
  }
});
