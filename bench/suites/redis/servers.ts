/** What both parts of the suite `redis` need: real servers that end with the part, and the operator's commands on their store. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { CLI, type ServiceEnvironment } from '../../harness/processes.js';
import { descendantsOf, peakResidentMb } from '../../harness/system.js';
import type { Scope } from '../../../test/support/service/ports.js';

/** How often the memory of a command is looked at: the kernel keeps its peak, so only the last moment can be missed. */
const LOOK_EVERY_MS = 20;

export interface CommandRun {
  readonly tookMs: number;
  /** The largest resident set of the command with whatever it has started, in MB (10^6 bytes). */
  readonly peakMb: number;
}

/**
 * Runs `bura` to its end.
 *
 * @throws {Error} where its exit code is not 0, with what it said.
 */
export async function runCommand(
  words: readonly string[],
  environment: ServiceEnvironment,
): Promise<CommandRun> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [CLI, ...words], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const pid = child.pid ?? 0;
  const exit = once(child, 'exit').then(([code]: unknown[]) => code);
  const said = text(child.stderr);
  const peaksMb = new Map<number, number>();
  while (child.exitCode === null && child.signalCode === null) {
    for (const one of [pid, ...descendantsOf(pid)]) {
      peaksMb.set(one, Math.max(peaksMb.get(one) ?? 0, peakResidentMb(one)));
    }
    await Promise.race([exit, delay(LOOK_EVERY_MS)]);
  }
  const tookMs = performance.now() - startedAt;
  if ((await exit) !== 0) throw new Error(`bura ${words.join(' ')}: ${await said}`);
  return { tookMs, peakMb: [...peaksMb.values()].reduce((sum, peak) => sum + peak, 0) };
}

/** Does work with servers and services that end, the last one first, when it is over. */
export async function inScope<T>(work: (scope: Scope) => Promise<T>): Promise<T> {
  const ends: (() => unknown)[] = [];
  try {
    return await work({ teardown: (end) => ends.unshift(end) });
  } finally {
    for (const end of ends) await end();
  }
}
