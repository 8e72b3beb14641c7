/**
 * The pointer of a `file:` store, looked at by a process of its own: a disk that hangs, as a network's does, hangs that
 * process, and neither the threads that this one reads and writes its own disk with, nor its end.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { SnapshotError, type SnapshotErrorCode } from '../../domain/snapshot-error.js';
import { childEnvironment } from '../child-environment.js';
import type { PointerReading, PointerStore } from '../store.js';
import type { FileStoreOptions } from './file-store.js';

/** What the process sends; it is told the options first, and then each time that it is to read. */
export type FromPointerProcess = Answer | { readonly kind: 'moved' };

type Answer =
  | { readonly kind: 'reading'; readonly reading: PointerReading }
  | { readonly kind: 'failure'; readonly code: SnapshotErrorCode; readonly message: string };

export class RemotePointer implements PointerStore {
  readonly address: string;
  readonly #options: FileStoreOptions;
  #child: ChildProcess | undefined;
  /** The look that is under way: there is one at a time, however long it hangs. */
  #reading: Promise<PointerReading> | undefined;
  #onAnswer: (answer: Answer) => void = () => undefined;
  #onChange: () => void = () => undefined;
  #isClosed = false;

  constructor(options: FileStoreOptions) {
    this.address = options.address;
    this.#options = options;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  readPointer(): Promise<PointerReading> {
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  watch(onChange: () => void): { close(): void } {
    this.#onChange = onChange;
    return {
      close: () => {
        this.#onChange = () => undefined;
      },
    };
  }

  /** Does not wait for the end of the process, which a system call that hangs may put off. */
  close(): void {
    this.#isClosed = true;
    this.#child?.kill('SIGKILL');
    this.#child?.unref();
    this.#child?.channel?.unref();
  }

  async #read(): Promise<PointerReading> {
    if (this.#isClosed) throw new SnapshotError('store_unreachable', 'the service ends');
    const child = this.#child ?? this.#start();
    const answer = await new Promise<Answer>((resolve) => {
      this.#onAnswer = resolve;
      child.send('read', () => undefined);
    });
    if (answer.kind === 'reading') return answer.reading;
    const { code, message } = answer;
    throw new SnapshotError(code, message);
  }

  /** One that has ended is started again by the next look. */
  #start(): ChildProcess {
    const child = fork(new URL('./pointer-process.js', import.meta.url), {
      env: childEnvironment(),
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    const onEnd = (): void => {
      if (this.#child !== child) return;
      this.#child = undefined;
      const message = 'the process that reads the store has ended';
      this.#onAnswer({ kind: 'failure', code: 'store_unreachable', message });
    };
    child.once('exit', onEnd);
    child.once('error', onEnd);
    child.on('message', (message: FromPointerProcess) => {
      if (message.kind === 'moved') this.#onChange();
      else this.#onAnswer(message);
    });
    child.send(this.#options, () => undefined);
    this.#child = child;
    return child;
  }
}
