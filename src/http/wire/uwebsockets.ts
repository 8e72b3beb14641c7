/**
 * The one file that loads uWebSockets.js. Two releases are installed, since no release has binaries for every supported
 * Node: v20.69 for Node 22, 24 and 26; v20.51 for Node 20, and for Node 22 on a glibc older than 2.38 (Debian 12,
 * Ubuntu 22.04).
 */
import type * as Library from 'uWebSockets.js';

/** The functions in use, which both releases have; TypeScript checks the newer release against the older types. */
type Used = Pick<typeof Library, 'App' | 'us_listen_socket_close' | 'us_socket_local_port'>;

export type { HttpRequest, HttpResponse, TemplatedApp, us_listen_socket } from 'uWebSockets.js';

export const { App, us_listen_socket_close, us_socket_local_port } = await load();

async function load(): Promise<Used> {
  const [major] = process.versions.node.split('.');
  if (major === '20') return await import('uWebSockets.js');
  try {
    return await import('uWebSockets.js-current');
  } catch (error) {
    if (major !== '22') throw error;
    return await import('uWebSockets.js');
  }
}
