/** Reports states to systemd by the program `systemd-notify`, since Node opens no Unix datagram sockets. */
import { spawn } from 'node:child_process';
import { startChild } from './child-process.js';

/** Time limit of a report: systemd may hang. */
const NOTIFY_MS = 5000;

/** The last report begun; each waits for the one before, so that no older state arrives after a newer one. */
let last = Promise.resolve();

/** Sends assignments such as `READY=1`; resolves when they are accepted. Never fails. */
export async function notifySystemd(...state: readonly string[]): Promise<void> {
  if (process.env['NOTIFY_SOCKET'] === undefined) return;
  last = last.then(() => send(state));
  await last;
}

async function send(state: readonly string[]): Promise<void> {
  const options = { stdio: 'ignore', timeout: NOTIFY_MS } as const;
  await startChild(undefined, () => spawn('systemd-notify', state, options)).ended;
}
