/**
 * Follows the archive of the store: starts the process that has its files while there is one, and tells it of each new index.
 * Nothing of it touches the snapshot: what cannot be read is said once, and what was served is served on.
 */
import type { ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { statIfExists } from '../../files/regular-file.js';
import { ensureOwnFolder, isOwnFolder, removeOwnFolder } from '../local/own-folders.js';
import { startStoreProcess } from '../store/child-process.js';
import type { StoreAccess } from '../store/open.js';
import type { FromArchiveProcess, ToArchiveProcess } from './archive-process.js';
import type { ServedArchive } from './read-archive.js';

/** Beside the local copies. */
const FOLDER = '~archive';

/** A process that has ended is started again after that. */
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
  /** Another store's has another name. */
  readonly #indexName: string;
  #child: ChildProcess | undefined;
  /** The index that the process was told of; empty where there is none; undefined before the first look. */
  #told: string | undefined;
  /** Whether the last look has failed. */
  #isUnread = false;
  #failure = '';
  #turn: Promise<void> | undefined;
  #isStopped = false;

  constructor(options: ArchiveFollowerOptions) {
    this.#options = options;
    this.#folder = join(options.directory, FOLDER);
    const address = createHash('sha256').update(options.store.address).digest('hex');
    this.#indexName = `${address.slice(0, 16)}.json`;
  }

  /** Takes up what an earlier run has left in the directory: resolves when it is served, or is not to be. */
  async resume(): Promise<void> {
    const index = await statIfExists(join(this.#folder, this.#indexName));
    if (index === undefined || this.#isStopped || this.#child !== undefined) return;
    const child = this.#start();
    await Promise.race([once(child, 'message'), once(child, 'exit')]).catch(() => undefined);
  }

  /** Looks at the store's index, and does what follows of it; returns at once. */
  poll(): void {
    if (this.#isStopped) return;
    this.#turn ??= this.#look()
      .catch((error: unknown) => {
        this.#fail(error instanceof Error ? error.message : String(error));
      })
      .finally(() => {
        this.#turn = undefined;
      });
  }

  /** What was in the directory may be gone. */
  directoryRestored(): void {
    this.#child?.kill('SIGKILL');
    this.poll();
  }

  /** Follows no more. The process goes on for fronts that still answer, and ends with this one. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#turn;
    this.#child?.unref();
    this.#child?.channel?.unref();
  }

  async #look(): Promise<void> {
    const { readIndex, ownsDirectory, onChange } = this.#options;
    const bytes = await readIndex().catch((error: unknown) => {
      // The pointer has been read a moment ago: once, the store has gone away since.
      if (this.#isUnread) throw error;
      this.#isUnread = true;
      return 'unread' as const;
    });
    if (bytes === 'unread') return;
    this.#isUnread = false;
    const text = bytes === undefined ? '' : Buffer.from(bytes).toString();
    if (text === this.#told || this.#isStopped || !(await ownsDirectory())) return;
    if (text === '') {
      const child = this.#child;
      this.#child = undefined;
      child?.kill('SIGKILL');
      onChange(undefined);
      if (await isOwnFolder(this.#folder)) await removeOwnFolder(this.#folder);
    } else {
      await ensureOwnFolder(this.#folder);
      if (this.#child === undefined) this.#start();
      this.#send({ kind: 'index', text });
    }
    this.#told = text;
  }

  #start(): ChildProcess {
    const child = startStoreProcess(new URL('./archive-process.js', import.meta.url), () => {
      if (this.#child !== child) return;
      this.#child = this.#told = undefined;
      // Polls of the store may be rare.
      setTimeout(() => {
        this.poll();
      }, RETRY_MS).unref();
    });
    child.on('message', (message: FromArchiveProcess) => {
      if (this.#child !== child) return;
      if (message.kind === 'served') this.#options.onChange(message.archive);
      else this.#fail(message.message);
    });
    this.#child = child;
    const { store, diskBytes } = this.#options;
    const folder = this.#folder;
    this.#send({ kind: 'start', store, folder, indexName: this.#indexName, diskBytes });
    return child;
  }

  #send(message: ToArchiveProcess): void {
    this.#child?.send(message, () => undefined);
  }

  #fail(message: string): void {
    if (message !== this.#failure) this.#options.onFailure(message);
    this.#failure = message;
  }
}
