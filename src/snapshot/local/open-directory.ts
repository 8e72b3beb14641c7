/** Opens a directory as a short prefix of paths, for Unix sockets in it. */
import { closeSync, fstatSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { identityOf } from './identity.js';

/** Longest path of a socket (108 bytes on Linux, 104 elsewhere, with a NUL). */
const LONGEST_PATH = 103;
const LONGEST_NAME = '.tmp-01234567-0123456789-0123456789ab';

export interface OpenDirectory {
  readonly path: string;
  /** Unique while it is open. */
  readonly identity: string;
  close(): void;
}

/**
 * An open directory as a short path prefix for sockets, whose paths Linux limits to 107 bytes.
 *
 * Held by number: Node 26 ends a process in which an open `FileHandle` is collected, and a lock may outlive its object.
 */
export function openDirectory(directory: string): OpenDirectory {
  const descriptor = openSync(directory, 'r');
  const isLong = Buffer.byteLength(join(directory, LONGEST_NAME)) > LONGEST_PATH;
  return {
    path: isLong ? `/proc/self/fd/${descriptor}` : directory,
    identity: identityOf(fstatSync(descriptor, { bigint: true })),
    close: () => {
      closeSync(descriptor);
    },
  };
}
