/** Starts the client of a closed loop: autocannon, or wrk to reach the server's limit. */
import { fileURLToPath } from 'node:url';
import { forkOnCore, ofChild } from '../harness/processes.js';
import type { ClientName } from '../options.js';
import type { Driven, Load } from './driven.js';
import { driveWithWrk } from './wrk.js';

const AUTOCANNON = fileURLToPath(new URL('./autocannon-process.js', import.meta.url));

export async function drive(client: ClientName, load: Load): Promise<Driven> {
  if (client === 'wrk') return await driveWithWrk(load);
  return await ofChild<Driven>(forkOnCore(AUTOCANNON, { cpu: load.cpu }), load);
}
