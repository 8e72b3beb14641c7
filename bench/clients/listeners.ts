/** Starts the process of clients that listen to events. */
import { fileURLToPath } from 'node:url';
import type { ListenersOrder, ListenersReport } from './listeners-process.js';
import { startReporting, type ReportingRun } from './reporting.js';

const START_LIMIT_MS = 120_000;

export type ListenersRun = ReportingRun<ListenersReport>;

/** Starts the listeners and waits until each has an answer. @throws {Error} after two minutes, or where one was refused. */
export async function startListeners(order: ListenersOrder): Promise<ListenersRun> {
  return await startReporting<ListenersOrder, ListenersReport>({
    module: fileURLToPath(new URL('./listeners-process.js', import.meta.url)),
    order,
    hasBegun: ({ connected }) => connected === order.listeners,
    hasFailed: ({ failed }) => failed > 0,
    limitMs: START_LIMIT_MS,
    describe: ({ connected, failed }) =>
      `of ${order.listeners} listeners ${connected} are connected, ${failed} failed`,
  });
}
