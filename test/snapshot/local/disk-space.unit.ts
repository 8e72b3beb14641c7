/** Free space: nothing is removed while there is enough, or where it would not be enough. */
import { mkdir, readdir, statfs, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import t from 'tap';
import { freeDiskSpace, spareBytes } from '../../../src/snapshot/local/disk-space.js';
import { writeSmallCopy } from '../../support/documents/local-copy.js';

void t.test('files that can be had again go when they are enough, and only they', async (t) => {
  const copy = await writeSmallCopy(t);
  const directory = dirname(copy);
  const texts = join(copy, 'texts');
  await mkdir(texts);
  for (const name of ['one.gz', '.tmp-1'])
    await writeFile(join(texts, name), Buffer.alloc(1_000_000));
  const all = async () => (await readdir(directory, { recursive: true })).toSorted();
  const before = await all();
  const { bavail, bsize } = await statfs(directory);
  await freeDiskSpace(directory, 0);
  t.same(await all(), before);
  // Other processes write to this disk too: far more than they do in a moment.
  const free = await freeDiskSpace(directory, 2 * bavail * bsize + 1e12);
  t.ok(free > 0 && free < 2 * bavail * bsize);
  t.same(await all(), before, 'and nothing is removed in vain');
});

void t.test('what an import needs is not spare', async (t) => {
  const copy = await writeSmallCopy(t);
  const directory = dirname(copy);
  await writeFile(join(copy, 'large'), Buffer.alloc(32_000_000));
  const { bavail, bsize } = await statfs(directory);
  const spare = await spareBytes(directory);
  const wanted = bavail * bsize - 64_000_000;
  t.ok(Math.abs(spare - wanted) < 32_000_000, `${spare} for ${wanted}`);
});
