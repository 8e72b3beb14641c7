/** The words of the API's documentation: every operation and parameter has its own, and none are left over. */
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { readWords } from '../../../src/http/openapi/words.js';
import { DOCUMENTED_ENDPOINTS } from '../../../src/http/routes/routes.js';

/** A folder of the words with one file changed. */
async function changed(t: Test, file: string, change: (text: string) => string): Promise<string> {
  const folder = t.testdir();
  await cp('texts/openapi', folder, { recursive: true });
  await writeFile(join(folder, file), change(await readFile(join(folder, file), 'utf8')));
  return folder;
}

void t.test('every operation and parameter has words', (t) => {
  const { title, introduction, endpoints } = readWords('texts/openapi', DOCUMENTED_ENDPOINTS);
  t.match(title, /^Open data/);
  t.ok(introduction.length > 1000);
  t.equal(endpoints.length, DOCUMENTED_ENDPOINTS.length);
  for (const { operation, parameters } of endpoints) {
    t.match(operation.summary, /^[A-Z][^.]+$/, operation.id);
    t.match(operation.description, /\.$/, operation.id);
    for (const [name, { description }] of Object.entries(parameters)) {
      t.match(description, /\.$/, `${operation.id}: ${name}`);
    }
  }
  t.end();
});

void t.test('an operation takes its own words of a parameter before those of all', (t) => {
  const { endpoints } = readWords('texts/openapi', DOCUMENTED_ENDPOINTS);
  const wordsOf = (id: string): string | undefined =>
    endpoints.find(({ operation }) => operation.id === id)?.parameters['language']?.description;
  t.match(wordsOf('getPortal'), /^One of sr-Latn, sr-Cyrl, en; /);
  t.match(wordsOf('getDataDictionary'), /^Language of titles/);
  t.end();
});

void t.test('missing words, and words of nothing, are refused by name', async (t) => {
  for (const [file, change, message] of [
    ['operations.md', (text: string) => text.replace('## getCatalog\n', ''), /getCatalog$/],
    ['operations.md', (text: string) => `${text}\n## getNothing\n\nNothing\n`, /getNothing$/],
    ['parameters.md', (text: string) => text.replace('## bbox\n', '## box\n'), /bbox$/],
    ['parameters.md', (text: string) => `${text}\n### getNothing\n\nNothing.\n`, /getNothing$/],
  ] as const) {
    const folder = await changed(t, file, change);
    t.throws(() => readWords(folder, DOCUMENTED_ENDPOINTS), { message });
  }
});
