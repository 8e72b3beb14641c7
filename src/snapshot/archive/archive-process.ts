/**
 * The process that reads the archive's files from the store: it keeps copies of them, and gives the others to whoever serves
 * them, over HTTP on a Unix socket. What hangs with the store is this process alone, and only it has the store's password.
 */
import { createReadStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setPriority } from 'node:os';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import {
  removeAbandoned,
  syncDirectory,
  temporaryPath,
  writeDurably,
} from '../../files/durable-file.js';
import { Digester, digestOf, type Digest } from '../domain/digest.js';
import { SnapshotError } from '../domain/snapshot-error.js';
import { openDirectory } from '../local/open-directory.js';
import { isMissing } from '../local/read-failure.js';
import { archiveName, isArchiveName, type ArchiveFile } from '../store/archive-index.js';
import type { ObjectStore } from '../store/objects.js';
import { openObjects, type StoreAccess } from '../store/open.js';
import { keptPath, type ByteRange } from './read-archive.js';

export type ToArchiveProcess =
  /** The first message, exactly once. */
  | { readonly kind: 'start'; readonly store: StoreAccess; readonly folder: string }
  /** Keep copies of these files, in this order; nothing else is fetched any more. */
  | { readonly kind: 'keep'; readonly files: readonly ArchiveFile[] };

export type FromArchiveProcess =
  | { readonly kind: 'listening'; readonly socket: string }
  /** A verified copy of the file lies in the folder. */
  | { readonly kind: 'kept'; readonly sha256: string }
  /** All that was to be kept is kept. */
  | { readonly kind: 'done' }
  /** A file is not in the store, or not what its name says. */
  | { readonly kind: 'bad'; readonly message: string }
  | { readonly kind: 'failed'; readonly message: string };

/** A store that gives nothing for so long holds this process, which is then ended; whoever minds it starts another one. */
const PATIENCE_MS = 60_000;

const NICENESS = 10;

/** A reader that takes nothing for so long is gone. */
const IDLE_MS = 120_000;

const endAtOnce = (): void => {
  process.kill(process.pid, 'SIGKILL');
};
// A thread that hangs in a system call would hold up an orderly exit.
process.once('disconnect', endAtOnce);
// They are sent to the whole group; the supervisor ends this process when it needs it no more.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => undefined);

// Who serves keeps the cores.
setPriority(NICENESS);

let archive: ArchiveProcess | undefined;
process.on('message', (message: ToArchiveProcess) => {
  if (message.kind === 'start') {
    archive = new ArchiveProcess(openObjects(message.store), message.folder);
    void archive.listen();
  } else void archive?.keep(message.files);
});

function send(message: FromArchiveProcess): void {
  process.send?.(message);
}

class ArchiveProcess {
  readonly #objects: ObjectStore;
  readonly #folder: string;
  #keeping = new AbortController();
  /** SHA-256 of the copies that this process has read or written. */
  readonly #verified = new Set<string>();

  constructor(objects: ObjectStore, folder: string) {
    this.#objects = objects;
    this.#folder = folder;
  }

  async listen(): Promise<void> {
    await removeAbandoned(this.#folder);
    const socket = `${process.pid}.sock`;
    // Open for as long as the process runs.
    const path = join(openDirectory(this.#folder).path, socket);
    await rm(path, { force: true });
    const server = createServer((request, response) => void this.#answer(request, response));
    server.setTimeout(IDLE_MS);
    server.listen(path, () => {
      send({ kind: 'listening', socket });
    });
  }

  async keep(files: readonly ArchiveFile[]): Promise<void> {
    this.#keeping.abort();
    const { signal } = (this.#keeping = new AbortController());
    try {
      for (const file of files) {
        if (!this.#verified.has(file.sha256)) await this.#keep(file, signal);
        signal.throwIfAborted();
        this.#verified.add(file.sha256);
        send({ kind: 'kept', sha256: file.sha256 });
      }
      send({ kind: 'done' });
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      if (!signal.aborted) send({ kind: 'failed', message });
    }
  }

  /** A copy that is there is verified; else it appears whole, or not at all. */
  async #keep(file: ArchiveFile, signal: AbortSignal): Promise<void> {
    const { sha256, sizeBytes } = file;
    const path = keptPath(this.#folder, file);
    const found = await digestOf(createReadStream(path, { signal })).catch((error: unknown) => {
      if (isMissing(error)) return undefined;
      throw error;
    });
    if (found?.sha256 === sha256) return;
    // Until there is a whole one, it is read from the store.
    await rm(path, { force: true });
    const temporary = temporaryPath(this.#folder);
    const bytes = this.#read(
      archiveName(file),
      { sha256, sizeBytes, from: 0, to: sizeBytes },
      signal,
    );
    await writeDurably(temporary, bytes);
    await rename(temporary, path);
    await syncDirectory(this.#folder);
  }

  /** The status comes with the first bytes; a connection that is reset later has not given all. */
  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const gone = new AbortController();
    response.once('close', () => {
      gone.abort();
    });
    try {
      const { pathname, searchParams } = new URL(request.url ?? '', 'http://archive');
      const name = `archive${decodeURIComponent(pathname)}`;
      const numberOf = (parameter: string) => Number(searchParams.get(parameter));
      const [from, to, sizeBytes] = [numberOf('from'), numberOf('to'), numberOf('size')];
      if (!isArchiveName(name)) throw new RangeError('no file of an archive');
      const sha256 = basename(name, '.parquet');
      const bytes = this.#read(name, { sha256, sizeBytes, from, to }, gone.signal);
      const first = await bytes.next();
      response.writeHead(200, { 'content-length': to - from });
      await pipeline(async function* () {
        if (first.done !== true) yield first.value;
        yield* bytes;
      }, response);
    } catch (error) {
      const isBad = error instanceof SnapshotError && error.code !== 'store_unreachable';
      if (isBad) send({ kind: 'bad', message: error.message });
      if (response.headersSent) response.destroy();
      else response.writeHead(503).end();
    }
  }

  /**
   * A range of a file. The last chunk follows only where all of them are as long as they should be, and those of a whole file
   * have its digest.
   */
  async *#read(
    name: string,
    { from, to, sizeBytes, sha256 }: Digest & ByteRange,
    signal: AbortSignal,
  ): AsyncGenerator<Uint8Array, void, undefined> {
    const isWhole = from === 0 && to === sizeBytes;
    const range = isWhole ? undefined : { from, to };
    const digester = new Digester(to - from);
    const stream = await patiently(this.#objects.open(name, { range, sizeBytes, signal }));
    try {
      const chunks: AsyncIterator<Uint8Array> = stream[Symbol.asyncIterator]();
      let last: Uint8Array | undefined;
      for (;;) {
        const next = await patiently(chunks.next());
        if (next.done === true) break;
        digester.add(next.value);
        if (last !== undefined) yield last;
        last = next.value;
      }
      const digest = digester.digest();
      if (digest.sizeBytes !== to - from || (isWhole && digest.sha256 !== sha256)) {
        const found = `${digest.sizeBytes} bytes with SHA-256 ${digest.sha256}`;
        throw new SnapshotError('archive_damaged', `${name} is not what its name says: ${found}`);
      }
      if (last !== undefined) yield last;
    } finally {
      stream.destroy();
    }
  }
}

async function patiently<T>(work: Promise<T>): Promise<T> {
  const timer = setTimeout(endAtOnce, PATIENCE_MS);
  return await work.finally(() => {
    clearTimeout(timer);
  });
}
