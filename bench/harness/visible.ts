/** Moves the pointer, and measures the time to the first answer with the new snapshot, and the import. */
import { setTimeout as delay } from 'node:timers/promises';
import { fieldOf } from '../../test/support/service/exchange.js';
import { ask } from './exchange.js';
import type { Service } from './processes.js';
import type { Setup } from './setup.js';
import { now, peakResidentMb } from './system.js';

/** Asking more often would take a sixth of a core from the import. */
const POLL_MS = 20;
const TIME_LIMIT_MS = 180_000;
/** Number of looks into the log, in two seconds: on a busy machine the line comes late. */
const LOG_LOOKS = 100;

export interface Swap {
  /** Epoch milliseconds, just before the pointer moved. */
  readonly movedMs: number;
  /** Epoch milliseconds, at the first answer with the new `X-Snapshot-Id`; polled every 20 ms. */
  readonly visibleMs: number;
  /** Milliseconds of the import, as the service logs them; 0 where the local copy was there already. */
  readonly importMs: number;
  /** The largest resident set that the import process had, in MB (10^6 bytes); 0 when none was seen. */
  readonly importPeakMb: number;
}

/** Moves the pointer to a stored snapshot and waits until the service answers from it. */
export async function swapTo(setup: Setup, snapshotId: string): Promise<Swap> {
  const { service, store } = setup;
  // The document is read again to verify it, which is not part of the move.
  const movedMs = (await store.activate(snapshotId)).activatedAtMs;
  let importPeakMb = 0;
  while (now() - movedMs < TIME_LIMIT_MS) {
    const pid = service.importPid();
    if (pid !== undefined) importPeakMb = Math.max(importPeakMb, peakResidentMb(pid));
    const answer = await ask(service.port, { path: '/meta', headers: {} });
    if (fieldOf(answer, 'x-snapshot-id') === snapshotId) {
      const visibleMs = now();
      const importMs = await loggedImportMs(service, { snapshotId, sinceMs: movedMs });
      return { movedMs, visibleMs, importMs, importPeakMb };
    }
    await delay(POLL_MS);
  }
  throw new Error(`${snapshotId} was not visible within 180 s:\n${service.log()}`);
}

/** `import_ms` of the log line about the activation, which follows the first answer; 0 without an import. */
async function loggedImportMs(
  service: Service,
  { snapshotId, sinceMs }: { readonly snapshotId: string; readonly sinceMs: number },
): Promise<number> {
  for (let look = 0; look < LOG_LOOKS; look += 1) {
    const line = service
      .log()
      .split('\n')
      .findLast((one) => one.includes('"msg":"activated"') && one.includes(`"${snapshotId}"`));
    const time = /"time":"([^"]+)"/.exec(line ?? '')?.[1] ?? '';
    if (Date.parse(time) >= Math.floor(sinceMs)) {
      return Number(/"import_ms":(\d+)/.exec(line ?? '')?.[1] ?? 0);
    }
    await delay(POLL_MS);
  }
  return 0;
}
