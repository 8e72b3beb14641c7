/** Serves the demonstration data on a free port, for tools that look at its pages. */
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/**
 * Calls `work` with the address of a running service, and with a temporary directory that is removed afterwards.
 *
 * @param {(url: string, directory: string) => Promise<void>} work
 */
export async function withDemonstration(work) {
  const directory = await mkdtemp(join(tmpdir(), 'bura-demonstration-'));
  const service = spawn(process.execPath, ['dist/cli.js', 'serve', '--demo'], {
    env: {
      PATH: process.env['PATH'],
      HOST: '127.0.0.1',
      PORT: '0',
      SNAPSHOT_STORE: `file:${join(directory, 'store')}`,
      LOCAL_DIR: join(directory, 'local'),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    await work(await addressOf(service), directory);
  } finally {
    service.kill();
    await new Promise((resolve) => service.once('close', resolve));
    await rm(directory, { recursive: true, force: true });
  }
}

/** Address of the service, once it serves the demonstration data. */
async function addressOf({ stdout }) {
  let url;
  for await (const line of createInterface({ input: stdout })) {
    url = /^bura listening on (\S+)$/.exec(line)?.[1] ?? url;
    if (line.includes('"msg":"activated"')) return url;
  }
  throw new Error('the service has ended');
}
