/** Starts the process of slow readers. */
import { fileURLToPath } from 'node:url';
import { startReporting, type ReportingRun } from './reporting.js';
import type { SlowOrder, SlowReport } from './slow-process.js';

/** A server first fills the kernel's buffers of each reader, up to 4 MB: some gigabytes for a thousand. */
const START_LIMIT_MS = 60_000;

export type SlowRun = ReportingRun<SlowReport>;

/** Starts the readers and waits until each has an answer, or has failed. @throws {Error} after 60 s. */
export async function startSlow(order: SlowOrder): Promise<SlowRun> {
  return await startReporting<SlowOrder, SlowReport>({
    module: fileURLToPath(new URL('./slow-process.js', import.meta.url)),
    order,
    hasBegun: ({ reading, failed }) => reading + failed === order.readers,
    limitMs: START_LIMIT_MS,
    describe: ({ reading, failed }) =>
      `of ${order.readers} slow readers ${reading} have an answer, ${failed} failed`,
  });
}
