/**
 * The Unix socket that locks a directory of local copies, and the messages that are sent through it: one line of JSON
 * to the instance that has the lock, one line back. Whoever may write to the directory's sockets may ask.
 */
import { closeSync, openSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { createConnection, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

/** What an instance can be asked by another process. */
const MESSAGE_KINDS = ['status'] as const;
export interface InstanceMessage {
  readonly kind: (typeof MESSAGE_KINDS)[number];
}

/** Answers with plain data, which the sender gets as JSON; a rejection is silence to the sender. */
export type AnswerMessage = (message: InstanceMessage) => Promise<unknown>;

/** The message after which both sides go on talking, in a way of their own, until one of them closes the connection. */
export const TAKE_OVER = 'take-over';

/** @param message the whole of it, with its kind `TAKE_OVER`. */
export type TakeOverHandler = (socket: Socket, message: unknown) => void;

/** What became of a message; `silent`: somebody listens, and has said nothing in time, or nothing that can be read. */
export type Reply =
  | { readonly kind: 'reply'; readonly value: unknown }
  | { readonly kind: 'silent' | 'denied' | 'nobody' };

/** No snapshot id has a tilde, so no local copy has such a name; `~lock` alone is that of older builds. */
const LOCK_NAME = /^~lock(?:-[0-9a-f]{8})?$/;

/** A socket's path may be no longer (108 bytes on Linux, 104 elsewhere, with a NUL). */
const LONGEST_PATH = 103;
const LONGEST_NAME = '~lock-01234567';

/** For a message to come; and for as long as an answer may take. */
const SILENCE_MS = 10_000;
const MESSAGE_BYTES = 1024;
const CONNECTIONS_MAX = 16;

export interface LockSocket {
  /** Answers messages from now on; before that, whoever sends one is told nothing. */
  onMessage(answer: AnswerMessage): void;
  /** Is given the connections of whoever wants to take the lock over, which it has to close. */
  onTakeOver(handler: TakeOverHandler): void;
  /** Removes the socket, and cuts off who is connected, but for those who take the lock over. */
  close(): Promise<void>;
}

/**
 * A directory as the path of its sockets begins: Linux lets a long path be a short one, by way of the open directory.
 *
 * It is held by number: Node 26 ends a process in which an open `FileHandle` is garbage, and whoever locks a directory
 * until it ends need not keep the lock's object.
 */
export function openDirectory(directory: string): { readonly path: string; close(): void } {
  const descriptor = openSync(directory, 'r');
  const isLong = Buffer.byteLength(join(directory, LONGEST_NAME)) > LONGEST_PATH;
  return {
    path: isLong ? `/proc/self/fd/${descriptor}` : directory,
    close: () => {
      closeSync(descriptor);
    },
  };
}

/** Names of the sockets in a directory that are locks, of living and of dead processes. */
export async function lockNames(path: string): Promise<readonly string[]> {
  const entries = await readdir(path, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isSocket() && LOCK_NAME.test(entry.name))
    .map(({ name }) => name);
}

/** @throws {Error} the system's own, where the socket cannot be made. */
export async function listen(path: string): Promise<LockSocket> {
  const connected = new Set<Socket>();
  const handlers: Handlers = {};
  const server = createServer((socket) => {
    connected.add(socket.on('close', () => connected.delete(socket)));
    // Whoever only looks whether somebody listens is gone again by now.
    socket.on('error', () => undefined);
    if (handlers.answer === undefined && handlers.takeOver === undefined) socket.destroy();
    else void answerOn(socket, handlers);
  });
  server.maxConnections = CONNECTIONS_MAX;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, () => {
      server.unref();
      resolve();
    });
  });
  return {
    onMessage: (given) => {
      handlers.answer = given;
    },
    onTakeOver: (given) => {
      handlers.takeOver = (socket, message) => {
        connected.delete(socket);
        given(socket, message);
      };
    },
    close: async () => {
      for (const socket of connected) socket.destroy();
      // It is removed at once; who takes the lock over may stay connected.
      server.close();
      await Promise.resolve();
    },
  };
}

interface Handlers {
  answer?: AnswerMessage;
  takeOver?: TakeOverHandler;
}

async function answerOn(socket: Socket, { answer, takeOver }: Handlers): Promise<void> {
  socket.setTimeout(SILENCE_MS, () => socket.destroy());
  socket.unref();
  try {
    const message = await readLine(socket);
    if (takeOver !== undefined && kindOf(message) === TAKE_OVER) {
      takeOver(socket, message);
      return;
    }
    if (answer !== undefined && isMessage(message)) {
      socket.end(`${JSON.stringify(await answer(message))}\n`);
    }
  } catch {
    // It is gone, or what it asks for cannot be told.
  }
  if (!socket.writableEnded) socket.destroy();
}

/** The JSON of the first line; rejects where there is none. What follows it is lost. */
async function readLine(socket: Socket): Promise<unknown> {
  socket.setEncoding('utf8');
  const line = await new Promise<string>((resolve, reject) => {
    let received = '';
    const onData = (chunk: string): void => {
      received += chunk;
      const end = received.indexOf('\n');
      if (end < 0 && received.length > MESSAGE_BYTES) reject(new Error('too long'));
      if (end < 0) return;
      socket.off('data', onData).pause();
      resolve(received.slice(0, end));
    };
    socket.on('data', onData);
    socket.once('close', () => {
      reject(new Error('gone'));
    });
  });
  return JSON.parse(line);
}

function isMessage(value: unknown): value is InstanceMessage {
  return MESSAGE_KINDS.some((kind) => kind === kindOf(value));
}

function kindOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'kind' in value ? value.kind : undefined;
}

/** Sends one message; never fails. */
export async function send(
  path: string,
  message: InstanceMessage,
  timeoutMs: number,
): Promise<Reply> {
  const socket = createConnection(path);
  const timer = setTimeout(() => socket.destroy(), timeoutMs);
  try {
    socket.write(`${JSON.stringify(message)}\n`);
    const line = await text(socket);
    return line.endsWith('\n') ? { kind: 'reply', value: JSON.parse(line) } : { kind: 'silent' };
  } catch (error) {
    return { kind: reasonOf(error) };
  } finally {
    clearTimeout(timer);
    socket.destroy();
  }
}

/** A refusal says that nobody listens; most other failures, such as a full queue of a process that is stopped, do not. */
function reasonOf(error: unknown): 'silent' | 'denied' | 'nobody' {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ECONNREFUSED' || code === 'ENOENT') return 'nobody';
  return code === 'EACCES' || code === 'EPERM' ? 'denied' : 'silent';
}

/** Whether a process listens at the path. */
export async function isListening(path: string): Promise<boolean> {
  return await new Promise((resolve) => {
    const socket = createConnection(path);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', (error) => {
      resolve(reasonOf(error) !== 'nobody');
    });
  });
}
