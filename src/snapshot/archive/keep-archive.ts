/** Caches files of the store's archive on the local disk, the newest first, as many as fit; runs in its own process. */
import { statSync } from 'node:fs';
import { rename, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import {
  namesIn,
  removeAbandoned,
  syncDirectory,
  temporaryPath,
  writeDurably,
} from '../../files/durable-file.js';
import { digestOf, expectedBytes } from '../domain/digest.js';
import { SnapshotError } from '../domain/snapshot-error.js';
import { ensureOwnFolder } from '../local/own-files.js';
import {
  archiveName,
  decodeArchiveIndex,
  isDamage,
  REPLACED_MS,
  type ArchiveFile,
} from '../store/archive-index.js';
import type { ObjectStore } from '../store/objects.js';
import {
  readState,
  writeState,
  type ArchiveState,
  type FileContent,
  type KeptFile,
} from './archive-state.js';
import {
  keptBytes,
  keptDigest,
  keptPath,
  keptRecords,
  KeptFileReader,
  SEGMENT_BYTES,
} from './kept-file.js';

/** Time for which cached files stay after the store has lost its archive. */
const GONE_MS = 24 * 3_600_000;

/** Time after which a download to a full disk is tried again. */
const DISK_FULL_MS = 60_000;

/** Least time between two reports of the state during downloads. */
const REPORT_INTERVAL_MS = 500;

export interface KeepRequest {
  /** Folder of the cached files, created if missing. */
  readonly folder: string;
  readonly state: string;
  /** The store's index, if any. */
  readonly index: string | undefined;
  /** Limit of the bytes of all cached files. */
  readonly diskBytes: number;
  /** Bytes that stay free on the disk for an import. */
  readonly freeBytes: number;
  /** SHA-256 of files that a reader has found damaged. */
  readonly suspects: readonly string[];
}

export interface KeepDependencies {
  readonly objects: ObjectStore;
  /** Stations and parameters with a row in a file. @throws {SnapshotError} `archive_damaged` for an invalid file. */
  readonly readContent: (file: ReadableFile) => Promise<FileContent>;
  /** Called with each written state. */
  readonly onState: (state: ArchiveState) => void;
}

export interface ReadableFile {
  readonly byteLength: number;
  readonly slice: (from: number, to?: number) => ArrayBuffer;
}

/** Time of the next run for the same index: epoch milliseconds, UTC; `Infinity`: no run is due. */
export type DueMs = number;

/**
 * Caches the files that the index names; without an index, removes all cached files after a day.
 *
 * @throws {SnapshotError} `archive_damaged` for a faulty index, or for a faulty file after the other files are cached;
 * `disk_full`, and the errors of the store. After a failure, wanted files that are cached already stay.
 */
export async function keepArchive(
  request: KeepRequest,
  dependencies: KeepDependencies,
): Promise<DueMs> {
  const { folder, state } = request;
  await ensureOwnFolder(folder);
  await removeAbandoned(folder);
  const before = await readState(state);
  const keeping = new Keeping(request, dependencies, before);
  return request.index === undefined
    ? await keeping.keepForADay()
    : await keeping.keepFiles(request.index);
}

/** Removes all cached files of a folder. @returns whether there were any. */
export async function removeKeptFiles(folder: string): Promise<boolean> {
  const names = (await namesIn(folder)).filter((name) => keptDigest(name) !== undefined);
  for (const name of names) await rm(join(folder, name), { force: true });
  return names.length > 0;
}

class Keeping {
  readonly #request: KeepRequest;
  readonly #dependencies: KeepDependencies;
  readonly #before: ArchiveState;
  readonly #kept = new Map<string, KeptFile>();
  #toldAtMs = -Infinity;

  constructor(request: KeepRequest, dependencies: KeepDependencies, before: ArchiveState) {
    this.#request = request;
    this.#dependencies = dependencies;
    this.#before = before;
  }

  /** Keeps cached files for a day without an index: a failing store may report that it has no archive. */
  async keepForADay(): Promise<DueMs> {
    const before = this.#before;
    const sinceMs = before.kind === 'none' ? before.sinceMs : Date.now();
    const dueMs = sinceMs + GONE_MS;
    const isGone = Date.now() >= dueMs;
    const keptFiles = before.kind === 'unknown' || isGone ? [] : before.kept;
    await this.#tell({ kind: 'none', sinceMs, kept: keptFiles });
    if (isGone) await removeKeptFiles(this.#request.folder);
    return isGone ? Infinity : dueMs;
  }

  async keepFiles(index: string): Promise<DueMs> {
    const { files, replaced } = decodeArchiveIndex(Buffer.from(index));
    const recent = replaced.filter(({ replacedAtMs }) => replacedAtMs + REPLACED_MS > Date.now());
    const wanted = this.#fitting([...newestFirst(files), ...recent]);
    const digests = new Set(wanted.map(({ sha256 }) => sha256));
    const leftOut = files.flatMap(({ sha256 }) => (digests.has(sha256) ? [] : sha256));
    const state = (): ArchiveState => ({
      kind: 'there',
      index,
      kept: [...this.#kept.values()],
      leftOut,
    });
    for (const file of wanted) await this.#takeUp(file);
    await this.#tell(state());
    await this.#removeOthers(digests);
    const damages: unknown[] = [];
    let isDiskFull = false;
    for (const file of wanted) {
      if (this.#kept.has(file.sha256)) continue;
      if (!(await this.#hasRoomFor(file))) {
        leftOut.push(file.sha256);
        isDiskFull = true;
        continue;
      }
      try {
        this.#kept.set(file.sha256, { ...file, ...(await this.#keep(file)) });
      } catch (error) {
        // Damage concerns one file, so the others are still cached; any other failure ends the run.
        if (!isDamage(error)) throw error;
        damages.push(error);
      }
      if (performance.now() - this.#toldAtMs > REPORT_INTERVAL_MS) await this.#tell(state());
    }
    await this.#tell(state());
    if (damages.length > 0) throw damages[0];
    const againMs = isDiskFull ? Date.now() + DISK_FULL_MS : Infinity;
    return Math.min(...recent.map(({ replacedAtMs }) => replacedAtMs + REPLACED_MS), againMs);
  }

  /** Files that fit into the limit, chosen in this order; longer files are skipped. */
  #fitting(files: readonly ArchiveFile[]): readonly ArchiveFile[] {
    let room = this.#request.diskBytes;
    return files.filter((file) => {
      if (keptBytes(file) > room) return false;
      room -= keptBytes(file);
      return true;
    });
  }

  /** Reuses a cached file of an earlier run, if its length is right; readers verify its bytes. */
  async #takeUp(file: ArchiveFile): Promise<void> {
    const before = this.#before.kind === 'unknown' ? [] : this.#before.kept;
    const earlier = before.find(({ sha256 }) => sha256 === file.sha256);
    if (earlier === undefined) return;
    const path = keptPath(this.#request.folder, file);
    if (statSync(path, { throwIfNoEntry: false })?.size !== keptBytes(file)) return;
    if (this.#request.suspects.includes(file.sha256)) {
      if ((await this.#read(path, file).catch(() => undefined)) === undefined) return;
    }
    const { stationIds, parameterCodes } = earlier;
    this.#kept.set(file.sha256, { ...file, stationIds, parameterCodes });
  }

  /** Removes the other cached files; readers that have them open can read on. */
  async #removeOthers(digests: ReadonlySet<string>): Promise<void> {
    const { folder } = this.#request;
    for (const name of await namesIn(folder)) {
      const digest = keptDigest(name);
      if (digest !== undefined && !digests.has(digest)) await rm(join(folder, name));
    }
  }

  async #hasRoomFor(file: ArchiveFile): Promise<boolean> {
    const { folder, freeBytes } = this.#request;
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize - keptBytes(file) >= freeBytes;
  }

  /** Caches a file atomically, unless a killed run has cached it. */
  async #keep(file: ArchiveFile): Promise<FileContent> {
    const { folder } = this.#request;
    const path = keptPath(folder, file);
    const present = await this.#read(path, file).catch(() => undefined);
    if (present !== undefined) return present;
    const temporary = temporaryPath(folder);
    const stream = await this.#dependencies.objects.open(archiveName(file), {
      sizeBytes: file.sizeBytes,
    });
    try {
      await writeDurably(temporary, keptRecords(bytesOf(stream, file), file));
      const content = await this.#read(temporary, file);
      await rename(temporary, path);
      await syncDirectory(folder);
      return content;
    } finally {
      stream.destroy();
      await rm(temporary, { force: true });
    }
  }

  /** Stations and parameters of a cached file, all of which is verified first. */
  async #read(path: string, file: ArchiveFile): Promise<FileContent> {
    const reader = new KeptFileReader(path, file);
    const { sizeBytes } = file;
    try {
      await digestOf(bytesOf(segmentsOf(reader, file), file));
      return await this.#dependencies.readContent({
        byteLength: sizeBytes,
        slice: (from, to = sizeBytes) => reader.read(from, to),
      });
    } finally {
      reader.close();
    }
  }

  async #tell(state: ArchiveState): Promise<void> {
    await writeState(this.#request.state, state);
    this.#dependencies.onState(state);
    this.#toldAtMs = performance.now();
  }
}

/** Files by the end of their period, newest first, after the two lists (stations, parameters), which have no period. */
function newestFirst(files: readonly ArchiveFile[]): readonly ArchiveFile[] {
  return files.toSorted((a, b) => ((a.to ?? '9') < (b.to ?? '9') ? 1 : -1));
}

/** @throws {SnapshotError} `archive_damaged` for bytes that differ from the file's digest. */
function bytesOf(chunks: AsyncIterable<Uint8Array>, file: ArchiveFile): AsyncIterable<Uint8Array> {
  return expectedBytes(chunks, file, (actual) => {
    throw new SnapshotError(
      'archive_damaged',
      `${file.path} differs from the digest in its name: ${actual}`,
    );
  });
}

async function* segmentsOf(
  reader: KeptFileReader,
  { sizeBytes }: ArchiveFile,
): AsyncGenerator<Uint8Array, void, undefined> {
  for (let at = 0; at < sizeBytes; at += SEGMENT_BYTES) {
    yield await Promise.resolve(
      new Uint8Array(reader.read(at, Math.min(at + SEGMENT_BYTES, sizeBytes))),
    );
  }
}
