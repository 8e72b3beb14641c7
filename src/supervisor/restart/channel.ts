/** A connection between two instances of which one takes over from the other: messages in order, one JSON object a line. */
import type { Socket } from 'node:net';

/** What an instance that takes over says. */
export type FromSuccessor =
  /** The first message. The user id is compared, since a port is shared among the sockets of one user only. */
  | { readonly kind: 'take-over'; readonly pid: number; readonly uid: number }
  /** Once a second until it has taken over. */
  | { readonly kind: 'alive' }
  /** It serves on the port. */
  | { readonly kind: 'ready' }
  /** From now on the other one leaves. */
  | { readonly kind: 'confirm' };

/** What the instance says that is taken over from. */
export type FromPredecessor =
  /** It has heard; what is under way is being ended. */
  | { readonly kind: 'pausing' }
  | ({ readonly kind: 'paused' } & Predecessor)
  /** It goes on, and says why; where the reason will pass, it may be asked again soon. */
  | { readonly kind: 'refused'; readonly reason: string; readonly isPassing: boolean }
  /** It waits for `confirm`. */
  | { readonly kind: 'proceed' }
  /** It has left the lock and the administrator's port, and drains; it closes the connection when its fronts are gone. */
  | { readonly kind: 'left' };

/** The instance that runs, as it describes itself. */
export interface Predecessor {
  readonly pid: number;
  readonly port: number;
  /** Whether it serves a snapshot. */
  readonly serves: boolean;
  /** Directories of the copies that its fronts have open. */
  readonly directories: readonly string[];
}

export class Channel {
  /** Resolves when the connection is closed, by whichever side. */
  readonly closed: Promise<void>;
  readonly #socket: Socket;
  readonly #received: unknown[] = [];
  #isClosed = false;
  #onNews = (): void => undefined;

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.setTimeout(0);
    socket.on('error', () => undefined);
    this.closed = new Promise((resolve) => {
      socket.once('close', () => {
        this.#isClosed = true;
        this.#onNews();
        resolve();
      });
    });
    // A line has no limit: whoever may connect is this user, or may do anything.
    let rest = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      const lines = `${rest}${chunk}`.split('\n');
      rest = lines.pop() ?? '';
      this.#received.push(...lines.map(parse));
      this.#onNews();
    });
    // Whoever read the first message has paused it.
    socket.resume();
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Does nothing where the connection is closed. */
  send(message: FromSuccessor | FromPredecessor): void {
    if (!this.#socket.destroyed) this.#socket.write(`${JSON.stringify(message)}\n`);
  }

  /** The next message, which may be none of ours; undefined where none has come in time, or where none will come any more. */
  async next(limitMs: number): Promise<unknown> {
    if (this.#received.length === 0 && !this.#isClosed) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, limitMs);
        this.#onNews = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      this.#onNews = () => undefined;
    }
    return this.#received.shift();
  }

  /** It no longer keeps this process from ending. */
  unref(): void {
    this.#socket.unref();
  }

  /** Closes it when what was sent is out. */
  end(): void {
    this.#socket.destroySoon();
  }

  close(): void {
    this.#socket.destroy();
  }
}

/** The kind of a message of whatever build. */
export function kindOf(message: unknown): unknown {
  return typeof message === 'object' && message !== null && 'kind' in message
    ? message.kind
    : undefined;
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
