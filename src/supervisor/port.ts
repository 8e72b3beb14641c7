/** Checks that the service's port is free: front processes share it silently, and would share it with a foreign process too. */
import { createServer } from 'node:net';
import { setTimeout as after } from 'node:timers/promises';
import type { LeftoverFronts } from './leftover-fronts.js';

/** Fronts of a killed supervisor close the port within milliseconds, on a busy machine too. */
const LEFTOVER_MS = 1000;
const LEFTOVER_LOOK_MS = 50;

export interface Address {
  readonly host: string;
  readonly port: number;
}

/**
 * The port, which fronts of a killed supervisor may still have: they close it as soon as they notice, and those that
 * do not are killed. The kernel closes the port of a process some moments after `/proc` shows no process any more: its
 * threads end one by one. Port 0 picks one that is free.
 *
 * @throws {Error} one line, where it cannot be had.
 */
export async function claimPort(options: Address, leftovers?: LeftoverFronts): Promise<number> {
  let deadline = performance.now() + LEFTOVER_MS;
  for (;;) {
    try {
      return await listenForAMoment(options);
    } catch (cause) {
      const isOver = performance.now() >= deadline;
      if (!isTaken(cause) || !leftovers?.wereThere || (isOver && !leftovers.areThere())) {
        throw new Error(`cannot listen on ${describeAddress(options)}: ${reasonOf(cause)}`, {
          cause,
        });
      }
      if (isOver) {
        await leftovers.kill();
        deadline = performance.now() + LEFTOVER_MS;
      } else await after(LEFTOVER_LOOK_MS);
    }
  }
}

/**
 * The port, after it was listened on exclusively for a moment; for port 0, one that is free.
 *
 * uWebSockets.js lets a socket share its port unless it is to pick it itself, so nobody else may pick.
 *
 * @throws {Error} the system's own: `EADDRINUSE`, `EACCES`, `EADDRNOTAVAIL`, `ENOTFOUND`.
 */
async function listenForAMoment(options: Address): Promise<number> {
  return await new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(options, () => {
      const address = probe.address();
      const port = typeof address === 'object' && address !== null ? address.port : options.port;
      probe.close(() => {
        resolve(port);
      });
    });
  });
}

function isTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
}

/** For messages and links: an IPv6 address in brackets. */
export function describeAddress({ host, port }: Address): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

/** Why an address cannot be listened on. */
export function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  switch (code) {
    case 'EADDRINUSE':
      return 'the port is taken';
    case 'EACCES':
      return 'this user may not have the port';
    case 'EADDRNOTAVAIL':
      return 'this machine has no such address';
    default:
      return error instanceof Error ? error.message : String(error);
  }
}
