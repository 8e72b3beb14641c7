/** Starts and stops a process of many clients that tells of them when it is asked. */
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { forkOnCore, ofChild } from '../harness/processes.js';

/** How often a process is asked whether all of its clients have begun. */
const LOOK_MS = 100;

export interface ReportingRun<Report> {
  /** What the clients have seen since the last report. */
  report(): Promise<Report>;
  /** Disconnects all of them. */
  stop(): Promise<void>;
}

export interface Reporting<Order, Report> {
  /** A path: the process takes the messages `start`, with the order, and `report`. */
  readonly module: string;
  readonly order: Order;
  /** Whether every client has begun, or has failed. */
  readonly hasBegun: (report: Report) => boolean;
  /** Whether it is of no use to wait on; default: never. */
  readonly hasFailed?: (report: Report) => boolean;
  readonly limitMs: number;
  /** What is said of clients that have not begun in time. */
  readonly describe: (report: Report) => string;
}

/** Starts the clients and waits until all have begun. @throws {Error} after the time limit. */
export async function startReporting<Order, Report>({
  module,
  order,
  hasBegun,
  hasFailed = () => false,
  limitMs,
  describe,
}: Reporting<Order, Report>): Promise<ReportingRun<Report>> {
  const child = forkOnCore(module);
  child.send({ kind: 'start', order });
  const report = (): Promise<Report> => ofChild<Report>(child, { kind: 'report' });
  const stop = async (): Promise<void> => {
    const exited = once(child, 'exit');
    child.disconnect();
    await exited;
  };
  const deadline = Date.now() + limitMs;
  for (;;) {
    await delay(LOOK_MS);
    const now = await report();
    if (hasBegun(now)) return { report, stop };
    if (hasFailed(now) || Date.now() > deadline) {
      await stop();
      throw new Error(describe(now));
    }
  }
}
