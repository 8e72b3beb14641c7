/** Reads every document under `test/fixtures/documents`: the problems are those of the `.txt` beside it, if any. */
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { DocumentError } from '../../../src/snapshot/document/problems.js';
import { readSnapshot } from '../../../src/snapshot/document/read.js';
import { inChunks } from '../../support/documents/documents.js';

const FOLDER = join(process.cwd(), 'test/fixtures/documents');

async function problemsOf(bytes: Uint8Array, chunkBytes: number): Promise<string> {
  try {
    await readSnapshot(inChunks(bytes, chunkBytes));
    return '';
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    return error.problems.map(({ path, message }) => `${path}: ${message}\n`).join('');
  }
}

const names = (await readdir(FOLDER, { recursive: true })).filter((name) => name.endsWith('.json'));

for (const name of names.toSorted()) {
  const expected = await readFile(join(FOLDER, name.replace(/json$/, 'txt')), 'utf8');
  await t.test(`${expected === '' ? 'accepts' : 'refuses'} ${name}`, async (t) => {
    const bytes = await readFile(join(FOLDER, name));
    t.equal(await problemsOf(bytes, 64 * 1024), expected);
    t.equal(await problemsOf(bytes, 1), expected, 'byte by byte');
    t.equal(await problemsOf(bytes, 97), expected, 'in odd chunks');
  });
}
