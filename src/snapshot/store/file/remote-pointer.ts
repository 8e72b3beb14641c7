/**
 * The pointer of a `file:` store, and the index of its archive, looked at by a process of its own: a disk that hangs, as a network's does, hangs that
 * process, and neither the threads that this one reads and writes its own disk with, nor its end. A process that hangs is
 * replaced (`docs/operations/stores.md, "Store outages"`): it may sit in a mount that is there no more.
 */
import type { ChildProcess } from 'node:child_process';
import { SnapshotError, type SnapshotErrorCode } from '../../domain/snapshot-error.js';
import { startStoreProcess } from '../child-process.js';
import type { PointerReading, PointerStore } from '../snapshot-store.js';
import type { FileObjectsOptions } from './file-objects.js';

/** What the process sends; it is told the options first, and then each time that it is to read. */
export type FromPointerProcess = Answer | { readonly kind: 'moved' };

type Answer =
  | { readonly kind: 'reading'; readonly reading: PointerReading; readonly archive: ArchiveAnswer }
  | Failure;

/** The index of the archive as text. */
export type ArchiveAnswer = { readonly kind: 'index'; readonly text: string | undefined } | Failure;

interface Failure {
  readonly kind: 'failure';
  readonly code: SnapshotErrorCode;
  readonly message: string;
}

/** A look that takes longer counts as none: then another process looks. */
const PATIENCE_MS = 5000;

/** A disk may hold processes that have been killed for as long as it hangs: no more than so many. */
const PROCESSES_MAX = 8;

interface Reader {
  readonly child: ChildProcess;
  /** When it was asked what it has not answered yet. */
  askedAt: number | undefined;
}

export class RemotePointer implements PointerStore {
  readonly address: string;
  readonly #options: FileObjectsOptions;
  /** Those that have not ended, in the order of their start: the last one looks, the others hang. */
  readonly #readers: Reader[] = [];
  /** The look that is under way, whichever process answers it. */
  #reading: Promise<PointerReading> | undefined;
  #onAnswer: (answer: Answer) => void = () => undefined;
  #onChange: () => void = () => undefined;
  /** By the last look; undefined before the first one: that says nothing of the archive. */
  #archive: ArchiveAnswer | undefined;
  #isClosed = false;

  constructor(options: FileObjectsOptions) {
    this.address = options.address;
    this.#options = options;
  }

  get pid(): number | undefined {
    return this.#readers.at(-1)?.child.pid;
  }

  readPointer(): Promise<PointerReading> {
    const reading = (this.#reading ??= new Promise<PointerReading>((resolve, reject) => {
      this.#onAnswer = (answer) => {
        this.#reading = undefined;
        if (answer.kind === 'reading') {
          this.#archive = answer.archive;
          resolve(answer.reading);
        } else reject(new SnapshotError(answer.code, answer.message));
      };
    }));
    this.#ask();
    return reading;
  }

  /** As it was when the pointer was read last. */
  async readArchive(): Promise<Uint8Array | undefined> {
    const archive = await Promise.resolve(this.#archive);
    if (archive === undefined) {
      throw new SnapshotError('store_unreachable', 'the store has not been read yet');
    }
    if (archive.kind === 'failure') throw new SnapshotError(archive.code, archive.message);
    return archive.text === undefined ? undefined : Buffer.from(archive.text);
  }

  watch(onChange: () => void): { close(): void } {
    this.#onChange = onChange;
    return {
      close: () => {
        this.#onChange = () => undefined;
      },
    };
  }

  /** Does not wait for the end of the processes, which a system call that hangs may put off. */
  close(): void {
    this.#isClosed = true;
    for (const { child } of this.#readers) {
      child.kill('SIGKILL');
      child.unref();
      child.channel?.unref();
    }
  }

  /**
   * Has the last process look, or a new one where that has been silent for too long: twice as long for each one that is
   * there already, so that a disk that holds even those that are killed holds few.
   */
  #ask(): void {
    if (this.#isClosed) {
      this.#onAnswer({ kind: 'failure', code: 'store_unreachable', message: 'the service ends' });
      return;
    }
    let reader = this.#readers.at(-1);
    if (reader?.askedAt !== undefined) {
      const count = this.#readers.length;
      const patienceMs = PATIENCE_MS * 2 ** (count - 1);
      if (performance.now() - reader.askedAt < patienceMs || count === PROCESSES_MAX) return;
      // This one may be slow only, and answer yet.
      this.#endBefore(reader);
      reader = undefined;
    }
    reader ??= this.#start();
    reader.askedAt = performance.now();
    reader.child.send('read', () => undefined);
  }

  /** One that has ended is started again by the next look. */
  #start(): Reader {
    const child = startStoreProcess(new URL('./pointer-process.js', import.meta.url), (how) => {
      const at = this.#readers.indexOf(reader);
      if (at === -1) return;
      const isLast = at === this.#readers.length - 1;
      this.#readers.splice(at, 1);
      const message = `the process that reads the store ${how}`;
      if (isLast) this.#onAnswer({ kind: 'failure', code: 'store_unreachable', message });
    });
    const reader: Reader = { child, askedAt: undefined };
    child.on('message', (message: FromPointerProcess) => {
      // What it has said before it was killed is old.
      if (child.killed) return;
      if (message.kind === 'moved') {
        this.#onChange();
        return;
      }
      reader.askedAt = undefined;
      this.#endBefore(reader);
      this.#onAnswer(message);
    });
    child.send(this.#options, () => undefined);
    this.#readers.push(reader);
    return reader;
  }

  /** Ends those that were started before: a process that a disk holds ends when its call returns. */
  #endBefore(reader: Reader): void {
    for (const { child } of this.#readers.slice(0, this.#readers.indexOf(reader))) {
      child.kill('SIGKILL');
    }
  }
}
