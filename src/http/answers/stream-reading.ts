/** A stream of known length as a body that is read at its client's pace. */
import type { Readable } from 'node:stream';

export class StreamReading {
  readonly #stream: Readable;
  readonly #byteLength: number;
  #chunk: Uint8Array = Buffer.alloc(0);
  #start = 0;
  #isWaiting = false;
  #hasEnded = false;
  #error: Error | undefined;

  constructor(
    stream: Readable,
    { byteLength, onReady }: { readonly byteLength: number; readonly onReady: () => void },
  ) {
    this.#stream = stream;
    this.#byteLength = byteLength;
    const goOn = (): void => {
      if (!this.#isWaiting) return;
      this.#isWaiting = false;
      onReady();
    };
    stream.on('readable', goOn);
    stream.once('end', () => {
      this.#hasEnded = true;
      goOn();
    });
    stream.on('error', (error) => {
      this.#error = error;
      goOn();
    });
    stream.once('close', () => {
      if (!this.#hasEnded) this.#error ??= new Error('it has been closed before its end');
      goOn();
    });
  }

  /** Bytes from `offset` on; undefined until `onReady`. The last bytes wait for the stream to end without error. */
  from(offset: number): Uint8Array | undefined {
    if (this.#error !== undefined) throw this.#error;
    while (offset >= this.#end && this.#next()) continue;
    const isLast = this.#end >= this.#byteLength;
    if (isLast && !this.#hasEnded) this.#next();
    if (this.#hasEnded && this.#end !== this.#byteLength)
      throw new RangeError('it has another length');
    if (offset < this.#end && (!isLast || this.#hasEnded)) {
      return this.#chunk.subarray(offset - this.#start);
    }
    this.#isWaiting = true;
    return undefined;
  }

  get #end(): number {
    return this.#start + this.#chunk.byteLength;
  }

  /** Reads the next chunk of the stream; false if no chunk is available yet. */
  #next(): boolean {
    const next: unknown = this.#stream.read();
    if (!(next instanceof Uint8Array)) return false;
    this.#start = this.#end;
    this.#chunk = next;
    return true;
  }
}
