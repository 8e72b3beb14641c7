/** Drives a server with a process that discards what it reads: the client for large bodies, and where wrk is missing. */
import { fileURLToPath } from 'node:url';
import { forkOnCore, ofChild } from '../harness/processes.js';
import type { Driven, Load } from './load.js';

const MODULE = fileURLToPath(new URL('./discard-process.js', import.meta.url));

export function driveWithDiscard(load: Load): Promise<Driven> {
  return ofChild<Driven>(forkOnCore(MODULE, { cpu: load.cpu }), load);
}
