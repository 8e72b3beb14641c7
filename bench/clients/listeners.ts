/** Starts and stops the process of clients that listen to events. */
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { forkOnCore, ofChild } from '../harness/processes.js';
import type { ListenersOrder, ListenersReport } from './listeners-process.js';

const MODULE = fileURLToPath(new URL('./listeners-process.js', import.meta.url));
const START_LIMIT_MS = 120_000;
const LOOK_EVERY_MS = 100;

export interface ListenersRun {
  /** What the listeners have heard since the last report. */
  report(): Promise<ListenersReport>;
  /** Disconnects all of them. */
  stop(): Promise<void>;
}

/** Starts the listeners and waits until each has an answer. @throws {Error} after two minutes, or where one was refused. */
export async function startListeners(order: ListenersOrder): Promise<ListenersRun> {
  const child = forkOnCore(MODULE);
  child.send({ kind: 'start', order });
  const report = (): Promise<ListenersReport> => ofChild(child, { kind: 'report' });
  const stop = async (): Promise<void> => {
    const exited = once(child, 'exit');
    child.disconnect();
    await exited;
  };
  const deadline = Date.now() + START_LIMIT_MS;
  for (;;) {
    await delay(LOOK_EVERY_MS);
    const { connected, failed } = await report();
    if (connected === order.listeners) return { report, stop };
    if (failed > 0 || Date.now() > deadline) {
      await stop();
      throw new Error(
        `of ${order.listeners} listeners ${connected} are connected, ${failed} failed`,
      );
    }
  }
}
