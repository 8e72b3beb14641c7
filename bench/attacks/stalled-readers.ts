/** Readers that ask for the whole dataset and never read. */
import { readersReport, SlowReader, type Attack } from './attack.js';

const OPENED_AT_A_TIME = 10;

export function stalledReaders(count: number): Attack {
  return (order) => {
    const readers: SlowReader[] = [];
    const timer = setInterval(() => {
      for (let at = 0; at < OPENED_AT_A_TIME; at += 1) readers.push(new SlowReader(order, 0));
      if (readers.length >= count) clearInterval(timer);
    }, 20);
    return { report: () => readersReport(readers) };
  };
}
