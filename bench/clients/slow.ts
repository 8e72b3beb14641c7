/** Starts and stops the process of slow readers. */
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { forkOnCore, ofChild } from '../harness/processes.js';
import type { SlowOrder, SlowReport, ToSlow } from './slow-process.js';

const MODULE = fileURLToPath(new URL('./slow-process.js', import.meta.url));
/** A server first fills the kernel's buffers of each reader, up to 4 MB: some gigabytes for a thousand. */
const START_LIMIT_MS = 60_000;

export interface SlowRun {
  /** What the readers got since the last report. */
  report(): Promise<SlowReport>;
  /** Disconnects all readers. */
  stop(): Promise<void>;
}

/** Starts the readers and waits until each has an answer, or has failed. @throws after 60 s. */
export async function startSlow(order: SlowOrder): Promise<SlowRun> {
  const child = forkOnCore(MODULE);
  child.send({ kind: 'start', order } satisfies ToSlow);
  const report = (): Promise<SlowReport> =>
    ofChild<SlowReport>(child, { kind: 'report' } satisfies ToSlow);
  const stop = async (): Promise<void> => {
    const exited = once(child, 'exit');
    child.disconnect();
    await exited;
  };
  const deadline = Date.now() + START_LIMIT_MS;
  for (;;) {
    await delay(100);
    const { reading, failed } = await report();
    if (reading + failed === order.readers) return { report, stop };
    if (Date.now() > deadline) {
      await stop();
      throw new Error(
        `of ${order.readers} slow readers ${reading} have an answer, ${failed} failed`,
      );
    }
  }
}
