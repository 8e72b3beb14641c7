/** Load from a process that discards what it reads: the client for large bodies. */
import { fileURLToPath } from 'node:url';
import { forkOnCore, ofChild } from '../processes.js';
import type { Driven, Load } from './load.js';

const MODULE = fileURLToPath(new URL('./discard-process.js', import.meta.url));

/** Drives a server; always one process, whatever the load says. */
export function driveWithDiscard(load: Load): Promise<Driven> {
  return ofChild<Driven>(forkOnCore(MODULE, load.cpu), load);
}
