/** Opens a directory, with a short path to it for Unix sockets, whose paths are limited in length. */
import { closeSync, fstatSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { identityOf } from './identity.js';

/** Longest path of a socket (107 bytes on Linux, 103 elsewhere, without the final NUL). */
const LONGEST_PATH = 103;
const LONGEST_NAME = '.tmp-01234567-0123456789-0123456789ab';

export interface OpenDirectory {
  readonly path: string;
  /** Unique while the directory is open. */
  readonly identity: string;
  close(): void;
}

/** Uses a descriptor: Node 26 ends processes that collect an open `FileHandle`, and a lock may outlive its object. */
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
