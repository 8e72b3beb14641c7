/**
 * Refusals of documents: the problems of every document under `test/fixtures/documents` are those of the `.txt` beside it,
 * if any; and one wrong value, or one missing, is refused wherever it stands, and the refusal names the place.
 */
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { DocumentError, type Problem } from '../../../src/snapshot/document/problems.js';
import { readSnapshot } from '../../../src/snapshot/document/read.js';
import type { JsonValue } from '../../../src/snapshot/domain/model.js';
import { inChunks } from '../../support/documents/documents.js';
import { chanceOf } from '../../support/faults/chance.js';
import { wholeDocument, writtenAnyHow } from './whole-document.js';

type Plain = Record<string, JsonValue>;

const FOLDER = join(process.cwd(), 'test/fixtures/documents');

/** By list, or `document`, and member: values that it may not have. */
const WRONG = JSON.parse(await readFile('test/fixtures/wrong-values.json', 'utf8')) as Readonly<
  Record<string, Readonly<Record<string, readonly JsonValue[]>>>
>;

const REQUIRED = JSON.parse(
  await readFile('test/fixtures/cases/required-members.json', 'utf8'),
) as Readonly<Record<string, readonly string[]>>;

const TIMES = ['published_at_utc', 'updated_at_utc'];

async function problemsOf(bytes: Uint8Array, chunkBytes: number): Promise<readonly Problem[]> {
  try {
    await readSnapshot(inChunks(bytes, chunkBytes));
    return [];
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    return error.problems;
  }
}

const names = (await readdir(FOLDER, { recursive: true })).filter((name) => name.endsWith('.json'));

for (const name of names.toSorted()) {
  const expected = await readFile(join(FOLDER, name.replace(/json$/, 'txt')), 'utf8');
  await t.test(`${expected === '' ? 'accepts' : 'refuses'} ${name}`, async (t) => {
    const bytes = await readFile(join(FOLDER, name));
    for (const chunkBytes of [64 * 1024, 1, 97]) {
      const problems = await problemsOf(bytes, chunkBytes);
      const lines = problems.map(({ path, message }) => `${path}: ${message}\n`);
      t.equal(lines.join(''), expected, `in chunks of ${chunkBytes} bytes`);
    }
  });
}

for (const [list, members] of Object.entries(WRONG)) {
  const missing = (REQUIRED[list] ?? []).map((member) => [member, undefined] as const);
  const changes = Object.entries(members).flatMap(([member, values]) =>
    values.map((value) => [member, value] as const),
  );
  await t.test(`names the place of what is wrong in ${list}`, async (t) => {
    const chance = chanceOf(t);
    for (const [member, value] of [...changes, ...missing]) {
      const top = JSON.parse(JSON.stringify(wholeDocument())) as Plain;
      for (const row of top['measurements'] as Plain[]) {
        // The times of a row could make each other wrong.
        for (const name of TIMES) if (TIMES.includes(member)) Reflect.deleteProperty(row, name);
      }
      const elements = list === 'document' ? [top] : (top[list] as Plain[]);
      const index = chance.integer(elements.length);
      const element = elements[index] ?? {};
      if (value === undefined) Reflect.deleteProperty(element, member);
      else element[member] = value;
      const path = list === 'document' ? member : `${list}[${index}].${member}`;
      const bytes = Buffer.from(writtenAnyHow(top, chance.integer));
      const paths = (await problemsOf(bytes, 1000)).map((problem) => problem.path);
      if (!paths.includes(path)) t.fail(`${path} is not among ${paths.join()}`);
    }
    t.pass(`${changes.length + missing.length} of them`);
  });
}
