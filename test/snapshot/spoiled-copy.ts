/** Damages local copies while no service has them open. */
import { readFile, rename, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Chance } from '../support/faults/chance.js';
import { withBitFlipped, withDigitChanged } from '../support/faults/spoiled-store.js';

export const COPY_FAULTS: Readonly<
  Record<string, (folder: string, chance: Chance) => Promise<void>>
> = {
  cut: async (folder, chance) => {
    const file = join(folder, 'data.mdb');
    await truncate(file, chance.integer((await readFile(file)).length));
  },
  'one bit off': (folder, chance) => flipBit(folder, chance, Infinity),
  'a bit of its first pages': (folder, chance) => flipBit(folder, chance, 8192),
  'without its manifest': (folder) => rm(join(folder, 'copy.json')),
  'with another checksum': async (folder, chance) => {
    const file = join(folder, 'copy.json');
    const manifest = JSON.parse(await readFile(file, 'utf8')) as { readonly sha256: string };
    const sha256 = withDigitChanged(manifest.sha256, chance.integer(64));
    await writeFile(file, JSON.stringify({ ...manifest, sha256 }));
  },
};

async function flipBit(folder: string, chance: Chance, maxBytes: number): Promise<void> {
  const file = join(folder, 'data.mdb');
  const bytes = await readFile(file);
  const bits = 8 * Math.min(bytes.length, maxBytes);
  await writeFile(file, withBitFlipped(bytes, chance.integer(bits)));
}

/** Makes a file unreadable, for root too, by a link to itself (ELOOP). @returns a function that restores it. */
export async function makeUnreadable(path: string, aside: string): Promise<() => Promise<void>> {
  const kept = join(aside, basename(path));
  await rename(path, kept);
  await symlink(basename(path), path);
  return async () => {
    await rm(path);
    await rename(kept, path);
  };
}
