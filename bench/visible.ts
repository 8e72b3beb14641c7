/** From a moved pointer to the first answer with the new snapshot, and what the import took meanwhile. */
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { ask, headerOf } from './exchange.js';
import type { Setting } from './setting.js';
import { peakResidentMb } from './system.js';

const POLL_MS = 5;
const TIME_LIMIT_MS = 180_000;

export interface Swap {
  /** Epoch milliseconds, just before the pointer moved. */
  readonly movedMs: number;
  /** Epoch milliseconds, at the first answer with the new `X-Snapshot-Id`; asked for every 5 ms. */
  readonly visibleMs: number;
  /** How long there was an import process, in milliseconds, to 5 ms. */
  readonly importMs: number;
  /** The largest resident set that the import process had, in MB (10^6 bytes); 0 when none was seen. */
  readonly importPeakMb: number;
}

/** Moves the pointer to a stored snapshot and waits until the service answers from it. */
export async function swapTo(setting: Setting, snapshotId: string): Promise<Swap> {
  const { service, store } = setting;
  // A store reads the document again on its first activation, to prove it: that is not part of the move.
  const movedMs = (await store.activate(snapshotId)).activatedAtMs;
  const imports = new Map<number, { fromMs: number; toMs: number; peakMb: number }>();
  while (now() - movedMs < TIME_LIMIT_MS) {
    const pid = service.importPid();
    if (pid !== undefined) {
      const seen = imports.get(pid) ?? { fromMs: now(), toMs: now(), peakMb: 0 };
      seen.toMs = now();
      seen.peakMb = Math.max(seen.peakMb, peakResidentMb(pid));
      imports.set(pid, seen);
    }
    const answer = await ask(service.port, { path: '/meta', headers: {} });
    if (headerOf(answer, 'x-snapshot-id') === snapshotId) {
      const all = [...imports.values()];
      return {
        movedMs,
        visibleMs: now(),
        importMs: all.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0),
        importPeakMb: Math.max(0, ...all.map(({ peakMb }) => peakMb)),
      };
    }
    await delay(POLL_MS);
  }
  throw new Error(`${snapshotId} was not visible within 180 s:\n${service.log()}`);
}

/** Swaps to the given snapshots in turn, each as soon as the last one is visible, until it is told to stop. */
export function keepSwapping(
  setting: Setting,
  snapshotIds: readonly string[],
): { stop(): Promise<readonly Swap[]> } {
  let stopped = false;
  const run = async (): Promise<readonly Swap[]> => {
    const swaps: Swap[] = [];
    for (let at = 0; !stopped; at += 1) {
      swaps.push(await swapTo(setting, snapshotIds[at % snapshotIds.length] ?? ''));
    }
    return swaps;
  };
  const running = run();
  // Awaited when it is stopped; until then nobody else may hear of a failure.
  running.catch(() => undefined);
  return {
    stop: () => {
      stopped = true;
      return running;
    },
  };
}

/** Epoch milliseconds with a fraction. */
export function now(): number {
  return performance.timeOrigin + performance.now();
}
