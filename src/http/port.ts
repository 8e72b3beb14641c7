/** Whether a port is free: front processes share theirs silently, and would share it with a stranger's as well. */
import { createServer } from 'node:net';

/**
 * Listens for a moment, alone, as only one process can; 0 is always free.
 *
 * @throws {Error} the system's own: `EADDRINUSE`, `EACCES`, `EADDRNOTAVAIL`, `ENOTFOUND`.
 */
export async function claimPort(options: {
  readonly host: string;
  readonly port: number;
}): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(options, () => {
      probe.close(() => {
        resolve();
      });
    });
  });
}
