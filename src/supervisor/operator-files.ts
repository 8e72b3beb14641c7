/** Copies the operator's texts and base map at the start: all processes use these bytes until the next start. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { makeDirectory, removeAbandoned, temporaryPath } from '../files/durable-file.js';
import { systemCode } from '../files/file-error.js';
import { ensureOwnFolder } from '../snapshot/local/own-files.js';

const FOLDER = '~operator';

/** Number of copies that stay: those of this start and of earlier ones whose fronts may still drain. */
const COPIES_MAX = 4;

/** Bytes of each file by its path in the copy; the path is empty for a single file. */
type Files = ReadonlyMap<string, Uint8Array>;

export class OperatorFiles {
  readonly #folder: string;
  readonly #copies = new Map<string, Files>();

  /** @param directory of the local copies, created if missing. */
  constructor(directory: string) {
    this.#folder = join(directory, FOLDER);
  }

  /** Reads a folder once. @returns the path of its copy; undefined if an entry is neither a file nor a folder. */
  takeFolder(path: string): string | undefined {
    const entries = readdirSync(path, { recursive: true, withFileTypes: true });
    const files = new Map<string, Uint8Array>();
    for (const entry of entries) {
      if (entry.isDirectory()) continue;
      const file = join(entry.parentPath, entry.name);
      // A link to a file is read like a file.
      if (!entry.isFile() && !entry.isSymbolicLink()) return undefined;
      files.set(relative(path, file), readFileSync(file));
    }
    return this.#take(files);
  }

  /** @returns the path of the copy. */
  takeFile(bytes: Uint8Array): string {
    return this.#take(new Map([['', bytes]]));
  }

  async write(): Promise<void> {
    if (this.#copies.size === 0) return;
    await makeDirectory(dirname(this.#folder));
    await ensureOwnFolder(this.#folder);
    await removeAbandoned(this.#folder);
    for (const [path, files] of this.#copies) await writeCopy(path, files);
    await this.#removeOld();
  }

  #take(files: Files): string {
    const hash = createHash('sha256');
    for (const [name, bytes] of [...files].toSorted(([a], [b]) => (a < b ? -1 : 1)))
      hash.update(`${name}\0${bytes.byteLength}\0`).update(bytes);
    const path = join(this.#folder, hash.digest('hex').slice(0, 16));
    this.#copies.set(path, files);
    return path;
  }

  async #removeOld(): Promise<void> {
    const names = (await readdir(this.#folder)).filter((name) => /^[0-9a-f]{16}$/.test(name));
    const copies = await Promise.all(
      names.map(async (name) => {
        const path = join(this.#folder, name);
        return { path, startedMs: (await stat(path)).mtimeMs };
      }),
    );
    const old = copies.toSorted((a, b) => b.startedMs - a.startedMs).slice(COPIES_MAX);
    for (const { path } of old) await rm(path, { recursive: true, force: true });
  }
}

/**
 * Writes a copy completely, then renames it into place. If a copy with the same path exists but has other bytes, it is
 * replaced.
 */
async function writeCopy(path: string, files: Files): Promise<void> {
  if (!isWhole(path, files)) {
    const temporary = temporaryPath(dirname(path));
    for (const [name, bytes] of files) {
      const file = join(temporary, name);
      if (name !== '') await mkdir(dirname(file), { recursive: true });
      await writeFile(file, bytes);
    }
    await rm(path, { recursive: true, force: true });
    await rename(temporary, path);
  }
  const now = new Date();
  await utimes(path, now, now);
}

function isWhole(path: string, files: Files): boolean {
  try {
    return [...files].every(([name, bytes]) => readFileSync(join(path, name)).equals(bytes));
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return false;
  }
}
