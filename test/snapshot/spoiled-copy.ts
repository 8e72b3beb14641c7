/** Damages local copies while no service has them open. */
import { readFile, rename, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Chance } from '../support/faults/chance.js';
import { withBitFlipped, withDigitChanged } from '../support/faults/spoiled-store.js';

/** Ways to damage the folder of a copy, by name. */
export const COPY_FAULTS: Readonly<
  Record<string, (folder: string, chance: Chance) => Promise<void>>
> = {
  cut: async (folder, chance) => {
    const file = join(folder, 'data.mdb');
    await truncate(file, chance.integer((await readFile(file)).length));
  },
  'one bit off': async (folder, chance) => {
    const file = join(folder, 'data.mdb');
    const bytes = await readFile(file);
    await writeFile(file, withBitFlipped(bytes, chance.integer(8 * bytes.length)));
  },
  'a bit of its first pages': async (folder, chance) => {
    const file = join(folder, 'data.mdb');
    await writeFile(file, withBitFlipped(await readFile(file), chance.integer(8 * 8192)));
  },
  'without its manifest': async (folder) => {
    await rm(join(folder, 'copy.json'));
  },
  'with another checksum': async (folder, chance) => {
    const file = join(folder, 'copy.json');
    const manifest = JSON.parse(await readFile(file, 'utf8')) as { readonly sha256: string };
    const sha256 = withDigitChanged(manifest.sha256, chance.integer(64));
    await writeFile(file, JSON.stringify({ ...manifest, sha256 }));
  },
};

/**
 * Makes a file unreadable, for root too, by a link to itself (ELOOP).
 *
 * @param aside folder that keeps the file.
 * @returns a function that restores the file.
 */
export async function makeUnreadable(path: string, aside: string): Promise<() => Promise<void>> {
  const kept = join(aside, basename(path));
  await rename(path, kept);
  await symlink(basename(path), path);
  return async () => {
    await rm(path);
    await rename(kept, path);
  };
}
