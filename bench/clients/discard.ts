/** Drives a server with a process that discards what it reads: the client for large bodies. */
import { fileURLToPath } from 'node:url';
import { forkOnCore, ofChild } from '../harness/processes.js';
import type { Driven, Load } from './load.js';

const MODULE = fileURLToPath(new URL('./discard-process.js', import.meta.url));

/** Drives a server with one process, whatever `load.clients` is. */
export function driveWithDiscard(load: Load): Promise<Driven> {
  return ofChild<Driven>(forkOnCore(MODULE, load.cpu), load);
}
