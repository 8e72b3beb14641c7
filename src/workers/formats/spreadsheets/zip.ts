/** ZIP archives of texts: the door to fflate. */
import { strToU8, zipSync, type Zippable } from 'fflate';

export interface ZipEntry {
  readonly name: string;
  readonly text: string;
  /** Left as it is; default: compressed. */
  readonly stored?: boolean;
}

/** In the order of the entries; the same entries give the same bytes. */
export function zipTexts(entries: readonly ZipEntry[]): Uint8Array {
  const files: Zippable = {};
  for (const { name, text, stored = false } of entries) {
    files[name] = [strToU8(text), { level: stored ? 0 : 6 }];
  }
  // The first time that the format knows; it is written as the machine's own zone has it.
  return zipSync(files, { mtime: new Date(1980, 0, 1) });
}
