/**
 * The process that has the archive's files: it keeps copies of the newest, and gives the others from the store to whoever
 * serves them, over HTTP on a Unix socket. What hangs with the store is this process alone, and only it has the store's
 * password.
 */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setPriority } from 'node:os';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import {
  namesIn,
  removeAbandoned,
  replaceFile,
  syncDirectory,
  temporaryPath,
  writeDurably,
} from '../../files/durable-file.js';
import { readAtMost } from '../../files/regular-file.js';
import { Digester, digestOf, type Digest } from '../domain/digest.js';
import { SnapshotError } from '../domain/snapshot-error.js';
import { openDirectory } from '../local/open-directory.js';
import { isMissing } from '../local/read-failure.js';
import {
  archiveName,
  decodeArchiveIndex,
  isArchiveName,
  type ArchiveFile,
  type ArchiveIndex,
} from '../store/archive-index.js';
import { endAtOnce, endWithParent } from '../store/child-process.js';
import { NAMED_BYTES_MAX, type ObjectStore } from '../store/objects.js';
import { openObjects, type StoreAccess } from '../store/open.js';
import { keptPath, type ByteRange, type ServedArchive } from './read-archive.js';

export interface ArchiveProcessOptions {
  readonly store: StoreAccess;
  /** It is there, and is this process's own. */
  readonly folder: string;
  /** Name of the index in the folder. */
  readonly indexName: string;
  /** What may be kept. */
  readonly diskBytes: number;
}

export type ToArchiveProcess =
  /** The first message, exactly once: what an earlier run has left is served. */
  | ({ readonly kind: 'start' } & ArchiveProcessOptions)
  /** The index of the store, each time that it is another one. */
  | { readonly kind: 'index'; readonly text: string };

export type FromArchiveProcess =
  | { readonly kind: 'served'; readonly archive: ServedArchive }
  /** Something could not be read from the store, or kept; what can be is served. */
  | { readonly kind: 'failed'; readonly message: string };

/** A store that gives nothing for so long holds this process, which is then ended; whoever minds it starts another one. */
const PATIENCE_MS = 60_000;

/** A reader that takes nothing for so long is gone. */
const IDLE_MS = 120_000;

const RETRY_MS = 5_000;

/** Each time, the fronts are told of all files. */
const TELLING_MS = 250;

const NICENESS = 10;

/** Of copies and of indexes that this module has made. */
const OWN_NAME = /^(?:[0-9a-f]{64}\.parquet|[0-9a-f]{16}\.json)$/;

endWithParent();
// Who serves keeps the cores.
setPriority(NICENESS);

let archive: Promise<ArchiveProcess> | undefined;
process.on('message', (message: ToArchiveProcess) => {
  if (message.kind === 'start') archive = start(message);
  else
    void archive?.then((one) => {
      one.take(message.text);
    });
});

async function start(options: ArchiveProcessOptions): Promise<ArchiveProcess> {
  const one = new ArchiveProcess(options);
  await one.resume().catch(failed);
  return one;
}

function send(message: FromArchiveProcess): void {
  process.send?.(message);
}

function failed(error: unknown): void {
  send({ kind: 'failed', message: error instanceof Error ? error.message : String(error) });
}

class ArchiveProcess {
  readonly #options: ArchiveProcessOptions;
  readonly #objects: ObjectStore;
  /** Removed as an abandoned file is, when this process has been killed. */
  readonly #socket: string;
  #index: ArchiveIndex | undefined;
  #digest = '';
  #keeping = new AbortController();
  #keptLast = Promise.resolve();
  /** SHA-256 of verified copies. */
  readonly #kept = new Set<string>();
  #toldAt = 0;

  constructor(options: ArchiveProcessOptions) {
    this.#options = options;
    this.#objects = openObjects(options.store);
    this.#socket = basename(temporaryPath(options.folder));
  }

  async resume(): Promise<void> {
    const { folder, indexName } = this.#options;
    await removeAbandoned(folder);
    const server = createServer((request, response) => void this.#answer(request, response));
    server.setTimeout(IDLE_MS);
    // The directory stays open for as long as the process runs.
    server.listen(join(openDirectory(folder).path, this.#socket));
    await once(server, 'listening');
    const bytes = await readAtMost(join(folder, indexName), NAMED_BYTES_MAX);
    if (bytes === undefined) return;
    this.#use(bytes);
    for (const file of this.#wanted()) if (await this.#isWhole(file)) this.#kept.add(file.sha256);
    this.#tell();
  }

  /** An index that is none changes nothing. */
  take(text: string): void {
    try {
      this.#use(Buffer.from(text));
      this.#keepLater(text);
    } catch (error) {
      failed(error);
    }
  }

  #use(bytes: Uint8Array): void {
    this.#index = decodeArchiveIndex(bytes);
    this.#digest = createHash('sha256').update(bytes).digest('hex').slice(0, 32);
    const wanted = new Set(this.#wanted().map(({ sha256 }) => sha256));
    for (const sha256 of this.#kept) if (!wanted.has(sha256)) this.#kept.delete(sha256);
    this.#tell();
  }

  #tell(): void {
    if (this.#index === undefined) return;
    this.#toldAt = performance.now();
    const { folder } = this.#options;
    const served = { folder, socket: this.#socket, index: this.#index, digest: this.#digest };
    send({ kind: 'served', archive: { ...served, kept: [...this.#kept] } });
  }

  /** What is to be kept: the newest first, as many as there is room for; lists of stations and parameters before all. */
  #wanted(): readonly ArchiveFile[] {
    const newest = (this.#index?.files ?? []).toSorted((a, b) =>
      (a.to ?? '9') < (b.to ?? '9') ? 1 : -1,
    );
    let room = this.#options.diskBytes;
    return newest.filter(({ sizeBytes }) => {
      if (sizeBytes > room) return false;
      room -= sizeBytes;
      return true;
    });
  }

  /** One after the other: what an older index does not name may be in a newer one. */
  #keepLater(text: string): void {
    this.#keeping.abort();
    const { signal } = (this.#keeping = new AbortController());
    this.#keptLast = this.#keptLast.then(() => this.#keepAll(text, signal));
  }

  /** Files that are named no more go after those who serve them were told; whoever reads one has it open. */
  async #keepAll(text: string, signal: AbortSignal): Promise<void> {
    try {
      signal.throwIfAborted();
      const { folder, indexName } = this.#options;
      await replaceFile(join(folder, indexName), text);
      const wanted = this.#wanted();
      const used = [indexName, ...wanted.map((file) => basename(keptPath(folder, file)))];
      for (const name of await namesIn(folder)) {
        if (OWN_NAME.test(name) && !used.includes(name))
          await rm(join(folder, name), { force: true });
      }
      for (const file of wanted) {
        if (this.#kept.has(file.sha256)) continue;
        if (!(await this.#isWhole(file))) await this.#keep(file, signal);
        signal.throwIfAborted();
        this.#kept.add(file.sha256);
        if (performance.now() - this.#toldAt > TELLING_MS) this.#tell();
      }
    } catch (error) {
      if (signal.aborted) return;
      failed(error);
      setTimeout(() => {
        if (!signal.aborted) this.#keepLater(text);
      }, RETRY_MS);
    }
    this.#tell();
  }

  async #isWhole(file: ArchiveFile): Promise<boolean> {
    try {
      const { sha256 } = await digestOf(createReadStream(keptPath(this.#options.folder, file)));
      return sha256 === file.sha256;
    } catch (error) {
      if (isMissing(error)) return false;
      throw error;
    }
  }

  /** The copy appears whole, or not at all. */
  async #keep(file: ArchiveFile, signal: AbortSignal): Promise<void> {
    const { folder } = this.#options;
    const temporary = temporaryPath(folder);
    const whole = { ...file, from: 0, to: file.sizeBytes };
    await writeDurably(temporary, this.#read(archiveName(file), whole, signal));
    await rename(temporary, keptPath(folder, file));
    await syncDirectory(folder);
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
      if (error instanceof SnapshotError && error.code !== 'store_unreachable') failed(error);
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
