/**
 * Follows the archive of the store: which files there are, by its index, and which of them are kept in the local directory.
 * Nothing of it touches the snapshot: what cannot be read is said once, and what was served is served on.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { namesIn, replaceFile } from '../../files/durable-file.js';
import { readAtMost, statIfExists } from '../../files/regular-file.js';
import { SnapshotError } from '../domain/snapshot-error.js';
import { ensureOwnFolder } from '../local/own-folders.js';
import { decodeArchiveIndex, type ArchiveFile, type ArchiveIndex } from '../store/archive-index.js';
import { childEnvironment, startChild } from '../store/child-process.js';
import { NAMED_BYTES_MAX } from '../store/objects.js';
import type { StoreAccess } from '../store/open.js';
import type { FromArchiveProcess, ToArchiveProcess } from './archive-process.js';
import { keptPath, type ServedArchive } from './read-archive.js';

/** Beside the local copies. */
const FOLDER = '~archive';
/** Of files that this module has made. */
const OWN_NAME = /^(?:[0-9a-f]{64}\.parquet|\d+\.sock|[0-9a-f]{16}\.json)$/;

/** What could not be kept is tried again after that, and a process that has ended is started again at the latest. */
const RETRY_MS = 5_000;

export interface ArchiveFollowerOptions {
  readonly store: StoreAccess;
  /** The stored index; undefined where the store has no archive. */
  readonly readIndex: () => Promise<Uint8Array | undefined>;
  /** Of the local copies. */
  readonly directory: string;
  readonly ownsDirectory: () => Promise<boolean>;
  /** What may be kept. */
  readonly diskBytes: number;
  /** Called with what is to be served, undefined where there is no archive: not before that is known. */
  readonly onChange: (archive: ServedArchive | undefined) => void;
  /** Called with each reason once, as long as it stays the same. */
  readonly onFailure: (message: string) => void;
}

export class ArchiveFollower {
  readonly #options: ArchiveFollowerOptions;
  readonly #folder: string;
  /** Of the stored index; another store's has another name. */
  readonly #indexName: string;
  #index: ArchiveIndex | undefined;
  /** As it is stored; undefined where there is none, or before the first look. */
  #text: string | undefined;
  readonly #kept = new Set<string>();
  /** Whether the folder is as the index wants it. */
  #isTidy = false;
  #child: ChildProcess | undefined;
  #socket: string | undefined;
  #fetching: 'idle' | 'busy' | 'done' = 'idle';
  #dueAt = 0;
  #said = '';
  /** Whether the index could not be read last. */
  #isUnread = false;
  #turn: Promise<void> | undefined;
  #isStopped = false;

  private constructor(options: ArchiveFollowerOptions) {
    this.#options = options;
    this.#folder = join(options.directory, FOLDER);
    const address = createHash('sha256').update(options.store.address).digest('hex');
    this.#indexName = `${address.slice(0, 16)}.json`;
  }

  /** Takes up what an earlier run has left in the directory, and changes nothing there. */
  static async open(options: ArchiveFollowerOptions): Promise<ArchiveFollower> {
    const follower = new ArchiveFollower(options);
    await follower.#resume().catch((error: unknown) => {
      follower.#fail(error);
    });
    return follower;
  }

  /** Looks at the store's index, and does what follows of it; returns at once. */
  poll(): void {
    if (this.#isStopped) return;
    this.#turn ??= this.#look()
      .catch((error: unknown) => {
        this.#fail(error);
      })
      .finally(() => {
        this.#turn = undefined;
      });
  }

  /** What was in the directory may be gone. */
  directoryRestored(): void {
    this.#isTidy = false;
    this.#kept.clear();
    this.#child?.kill('SIGKILL');
    this.poll();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#end();
    await this.#turn;
    this.#end();
  }

  async #resume(): Promise<void> {
    const bytes = await readAtMost(join(this.#folder, this.#indexName), NAMED_BYTES_MAX);
    if (bytes === undefined) return;
    this.#index = decodeArchiveIndex(bytes);
    this.#text = Buffer.from(bytes).toString();
    for (const file of this.#wanted()) {
      const found = await statIfExists(keptPath(this.#folder, file));
      if (found?.size === file.sizeBytes) this.#kept.add(file.sha256);
    }
    this.#tell();
  }

  async #look(): Promise<void> {
    const { readIndex, ownsDirectory } = this.#options;
    const bytes = await readIndex().catch((error: unknown) => {
      // The pointer has been read a moment ago: once, the store has gone away since.
      const isOnce = !this.#isUnread;
      this.#isUnread = true;
      if (isOnce && error instanceof SnapshotError && error.code === 'store_unreachable')
        return 'unread' as const;
      throw error;
    });
    if (bytes === 'unread') return;
    this.#isUnread = false;
    if (this.#isStopped || !(await ownsDirectory())) return;
    const text = bytes && Buffer.from(bytes).toString();
    if (text !== this.#text || !this.#isTidy) await this.#take(text, bytes);
    if (this.#index === undefined) return;
    this.#child ??= this.#start();
    if (this.#fetching === 'idle' && performance.now() >= this.#dueAt) {
      this.#fetching = 'busy';
      this.#send({ kind: 'keep', files: this.#wanted() });
    }
  }

  /** Files that are named no more go after those who serve them have been told; who reads one has it open. */
  async #take(text: string | undefined, bytes: Uint8Array | undefined): Promise<void> {
    const index = bytes && decodeArchiveIndex(bytes);
    const hadNone = this.#text === undefined && text === undefined;
    if (!hadNone) await ensureOwnFolder(this.#folder);
    if (text !== undefined) await replaceFile(join(this.#folder, this.#indexName), text);
    this.#text = text;
    this.#index = index;
    const wanted = new Set(this.#wanted().map(({ sha256 }) => sha256));
    for (const sha256 of this.#kept) if (!wanted.has(sha256)) this.#kept.delete(sha256);
    this.#tell();
    for (const name of hadNone ? [] : await namesIn(this.#folder)) {
      const isIndex = name === this.#indexName && index !== undefined;
      const isUsed = name === this.#socket || isIndex || wanted.has(name.slice(0, 64));
      if (OWN_NAME.test(name) && !isUsed) await rm(join(this.#folder, name), { force: true });
    }
    this.#isTidy = true;
    this.#fetching = 'idle';
    this.#dueAt = 0;
    if (index === undefined) this.#end();
  }

  /** What is to be kept: the newest first, as many as there is room for; small lists of those that have values before all. */
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

  #start(): ChildProcess {
    const child = startChild('store', () =>
      fork(new URL('./archive-process.js', import.meta.url), {
        env: childEnvironment(),
        stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      }),
    );
    const onEnd = (): void => {
      if (this.#child !== child) return;
      this.#child = this.#socket = undefined;
      this.#fetching = 'idle';
      this.#tell();
      this.#pollLater();
    };
    child.once('exit', onEnd);
    child.on('error', () => {
      if (child.pid === undefined) onEnd();
    });
    child.on('message', (message: FromArchiveProcess) => {
      if (this.#child === child) this.#onMessage(message);
    });
    const { store } = this.#options;
    child.send({ kind: 'start', store, folder: this.#folder }, () => undefined);
    return child;
  }

  #send(message: ToArchiveProcess): void {
    this.#child?.send(message, () => undefined);
  }

  #onMessage(message: FromArchiveProcess): void {
    switch (message.kind) {
      case 'listening':
        this.#socket = message.socket;
        this.#tell();
        break;
      case 'kept':
        if (!this.#wanted().some(({ sha256 }) => sha256 === message.sha256)) break;
        if (this.#kept.has(message.sha256)) break;
        this.#kept.add(message.sha256);
        this.#tell();
        break;
      case 'done':
        this.#fetching = 'done';
        this.#said = '';
        break;
      case 'bad':
        this.#fail(message.message);
        break;
      case 'failed':
        this.#fetching = 'idle';
        this.#dueAt = performance.now() + RETRY_MS;
        this.#pollLater();
        this.#fail(message.message);
    }
  }

  /** Polls of the store may be rare. */
  #pollLater(): void {
    setTimeout(() => {
      this.poll();
    }, RETRY_MS + 1).unref();
  }

  #tell(): void {
    if (this.#isStopped) return;
    const index = this.#index;
    const served = { folder: this.#folder, socket: this.#socket, kept: [...this.#kept] };
    this.#options.onChange(index && { ...served, index });
  }

  #fail(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    if (message !== this.#said) this.#options.onFailure(message);
    this.#said = message;
  }

  #end(): void {
    const child = this.#child;
    this.#child = this.#socket = undefined;
    child?.kill('SIGKILL');
    child?.unref();
    child?.channel?.unref();
  }
}
