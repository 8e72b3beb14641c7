/** HTTP server for operators; a new connection replaces the longest silent one (`docs/operations/limits.md`). */
import { createServer, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';

/** Limit of connections: each is an open file of the supervisor, which needs files to start processes. */
const CONNECTIONS_MAX = 16;

/** Time limit for the head of a request, for the whole request, and for the next one on the connection. */
const SILENT_MS = 5000;

/** Time after which a connection with an unread answer is closed. */
const UNREAD_MS = 10_000;

export class OperatorsServer {
  readonly server: Server;
  listener: RequestListener;
  /** Connections without a complete request; the longest silent one is first. */
  readonly #silent = new Set<Socket>();
  /** Connections with a pending answer; oldest first. */
  readonly #asking = new Set<Socket>();

  constructor(listener: RequestListener) {
    this.listener = listener;
    const times = { headersTimeout: SILENT_MS, requestTimeout: SILENT_MS };
    const checking = { keepAliveTimeout: SILENT_MS, connectionsCheckingInterval: 1000 };
    this.server = createServer({ ...times, ...checking }, (request, response) => {
      const { socket } = request;
      this.#silent.delete(socket);
      this.#asking.add(socket);
      response.once('close', () => {
        if (this.#asking.delete(socket) && !socket.destroyed) this.#silent.add(socket);
      });
      this.listener(request, response);
    });
    this.server.setTimeout(UNREAD_MS);
    // Pipelined requests would be answered in parallel, each in its own memory.
    this.server.maxRequestsPerSocket = 1;
    this.server.on('dropRequest', (_request, socket) => {
      socket.destroy();
    });
    this.server.on('connection', (socket: Socket) => {
      this.#makeRoom();
      this.#silent.add(socket);
      socket.once('close', () => {
        this.#forget(socket);
      });
    });
    // A connection that was not accepted affects only its client.
    this.server.on('error', () => undefined);
  }

  /** Cuts all connections, and accepts no more. */
  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  #makeRoom(): void {
    const [oldest] = [...this.#silent, ...this.#asking];
    if (oldest === undefined || this.#silent.size + this.#asking.size < CONNECTIONS_MAX) return;
    this.#forget(oldest);
    oldest.destroy();
  }

  #forget(socket: Socket): void {
    this.#silent.delete(socket);
    this.#asking.delete(socket);
  }
}
