/** Web servers for the folder of a file store: one that can be stopped and killed, and one that fails. */
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join, resolve } from 'node:path';
import type { Test } from 'tap';
import { listenHttp } from '../service/listen-http.js';
import { spawnPlain } from '../service/plain-node.js';

const SCRIPT = resolve('build/test/support/faults/web-store-process.js');

/** Starts a web server over `root`'s store in a process of its own; resolves when it listens. */
export async function startWebStore(
  t: Test,
  { root, port }: { readonly root: string; readonly port: number },
) {
  const environment = { FOLDER: join(root, 'store'), PORT: String(port) };
  const child = spawnPlain([process.execPath, SCRIPT], environment, {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  t.teardown(() => child.kill('SIGKILL'));
  if (child.stdout === null) throw new Error('its output is read');
  await once(child.stdout, 'data');
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    await ended;
  };
  return { signal: (signal: NodeJS.Signals) => child.kill(signal), kill };
}

/** Answers a request for a document in a wrong way; `bytes` are the right ones. */
export type DocumentFault = (response: ServerResponse, bytes: Buffer) => void;

/** Serves `root`'s store; a fault of `faultOf` answers requests for documents. @returns the store's address. */
export async function serveFaulty(
  t: Test,
  { root, faultOf }: { readonly root: string; readonly faultOf: () => DocumentFault | undefined },
): Promise<string> {
  const port = await listenHttp(t, (request, response) => {
    const path = request.url ?? '/';
    readFile(join(root, 'store', path)).then(
      (bytes) => {
        const fault = path.endsWith('.gz') ? faultOf() : undefined;
        if (fault === undefined) response.end(bytes);
        else fault(response, bytes);
      },
      () => response.writeHead(404).end(),
    );
  });
  return `http://127.0.0.1:${port}/`;
}
