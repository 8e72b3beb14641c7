/** Checks that the service's port is free: front processes share it silently, and would share it with a foreign process too. */
import { createServer } from 'node:net';

/**
 * The port, after it was listened on exclusively for a moment; for port 0, one that is free.
 *
 * uWebSockets.js lets a socket share its port unless it is to pick it itself, so nobody else may pick.
 *
 * @throws {Error} the system's own: `EADDRINUSE`, `EACCES`, `EADDRNOTAVAIL`, `ENOTFOUND`.
 */
export async function claimPort(options: {
  readonly host: string;
  readonly port: number;
}): Promise<number> {
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
