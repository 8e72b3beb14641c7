/** Which files of a store's archive an instance caches, and what it does about a damaged one. */
import { createHash } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import type { ArchiveState } from '../../../src/snapshot/archive/archive-state.js';
import { verifyArchive } from '../../../src/publishing/archive/archive-objects.js';
import { keepArchive } from '../../../src/snapshot/archive/keep-archive.js';
import { keptBytes } from '../../../src/snapshot/archive/kept-file.js';
import { readContent } from '../../../src/workers/formats/parquet/read-content.js';
import { openWritable } from '../../support/stores/open-writable.js';
import { storeArchive, type StoredFile } from '../../support/stores/stored-archive.js';

void t.test('an instance with a limit for cached files', async (t) => {
  const root = t.testdir();
  const published = join(root, 'store', 'sepa');
  const { files } = await storeArchive(t, published, { months: ['2025-11', '2025-12', '2026-01'] });
  const { objects } = openWritable(t, `file:${join(root, 'store')}`);
  const sizeOf = (list: readonly StoredFile[]): number =>
    list.reduce((sum, { size_bytes: sizeBytes }) => sum + keptBytes({ sizeBytes }), 0);
  let folders = 0;

  /** Caches files in an empty folder. @returns the last state, and the error. */
  async function keep(diskBytes: number) {
    folders += 1;
    const folder = join(root, `kept-${folders}`);
    const index = Buffer.from((await objects.read('archive/index.json')) ?? []).toString();
    const request = { folder, state: join(folder, 'state.json'), index, diskBytes };
    const states: ArchiveState[] = [];
    const onState = (state: ArchiveState) => void states.push(state);
    const dependencies = { objects, readContent, onState };
    const failure = await keepArchive(
      { ...request, freeBytes: 0, suspects: [] },
      dependencies,
    ).then(
      () => undefined,
      (error: unknown) => error,
    );
    const state = states.at(-1);
    if (state?.kind !== 'there') throw new Error('no files are cached');
    return { kept: new Set(state.kept.map(({ sha256 }) => sha256)), state, failure };
  }

  await t.test('the lists first, then the newest files that fit', async (t) => {
    const lists = files.filter(({ to }) => to === null);
    const dated = files
      .filter(({ to }) => to !== null)
      .toSorted((a, b) => (b.to ?? '').localeCompare(a.to ?? ''));
    t.same([lists.length, dated.length], [2, 6]);
    for (let count = 1; count <= dated.length; count += 1) {
      // Room for the newest files alone, if the lists did not come first.
      const room = sizeOf(dated.slice(0, count));
      const { kept, state, failure } = await keep(room);
      t.equal(failure, undefined);
      for (const { sha256, path } of lists) t.ok(kept.has(sha256), `${count}: ${path}`);
      t.ok(sizeOf(files.filter(({ sha256 }) => kept.has(sha256))) <= room);
      t.equal(state.leftOut.length + kept.size, files.length);
    }
    const { kept } = await keep(sizeOf(files));
    t.equal(kept.size, files.length);
  });

  await t.test('a damaged file is named, and the others are cached', async (t) => {
    const [damaged, missing] = files;
    if (damaged === undefined || missing === undefined) throw new Error('the archive is empty');
    const damages = async () =>
      (await verifyArchive(objects, { onProgress: () => undefined }))?.damages;
    t.same(await damages(), []);
    const bytes = Buffer.alloc(damaged.size_bytes);
    t.not(createHash('sha256').update(bytes).digest('hex'), damaged.sha256);
    await writeFile(join(published, 'archive', damaged.path), bytes);
    const { kept, failure } = await keep(sizeOf(files));
    t.match(failure, { code: 'archive_damaged' });
    t.same([kept.size, kept.has(damaged.sha256)], [files.length - 1, false]);
    await rm(join(published, 'archive', missing.path));
    t.match(await damages(), [damaged.path, new RegExp(`${missing.path} is missing`)]);
  });
});
