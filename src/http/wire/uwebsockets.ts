/**
 * The one file that loads uWebSockets.js, in the release that has a binary for this version of Node: v20.51 is the last
 * one for Node 20, and v20.69 is for Node 22, 24 and 26. The types are those of the older release, and the compiler
 * checks here that the newer one has all of them.
 */
import type * as Library from 'uWebSockets.js';

export type { HttpRequest, HttpResponse, TemplatedApp, us_listen_socket } from 'uWebSockets.js';

const library: Pick<typeof Library, 'App' | 'us_listen_socket_close' | 'us_socket_local_port'> =
  process.versions.node.startsWith('20.')
    ? await import('uWebSockets.js')
    : await import('uWebSockets.js-current');

export const { App, us_listen_socket_close, us_socket_local_port } = library;
