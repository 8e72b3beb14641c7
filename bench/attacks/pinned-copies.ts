/** Readers that keep old snapshots open: after every swap, four that take 2 kB a second of the whole dataset. */
import { ask, headerOf } from '../harness/exchange.js';
import { readersReport, SlowReader, type Attack } from './attack.js';

const READERS = 4;
const BYTES_PER_SECOND = 2_000;
const LOOK_EVERY_MS = 200;

export const pinnedCopies: Attack = (order) => {
  const readers: SlowReader[] = [];
  let seen: string | undefined;
  const look = async (): Promise<void> => {
    const answer = await ask(order.port, { path: '/meta', headers: {} });
    const snapshotId = headerOf(answer, 'x-snapshot-id');
    if (snapshotId === seen || snapshotId === undefined) return;
    seen = snapshotId;
    for (let at = 0; at < READERS; at += 1) readers.push(new SlowReader(order, BYTES_PER_SECOND));
  };
  setInterval(() => {
    // While the service has no answer there is nothing to pin either.
    look().catch(() => undefined);
  }, LOOK_EVERY_MS);
  return { report: () => readersReport(readers) };
};
