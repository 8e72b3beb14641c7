/** A port for all front processes: theirs is shared silently, and would be shared with a stranger as well. */
import { createServer } from 'node:net';

/**
 * The port, proved to be free: for a moment it is listened on alone. 0: a free one.
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
