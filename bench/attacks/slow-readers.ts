/** Readers of the whole dataset, slow or not reading at all: what they do not take lies with the kernel, up to 4 MB each. */
import { readersReport, SlowReader, type Attack } from './attack.js';

const OPENED_AT_A_TIME = 10;

/** @param bytesPerSecond 0 for readers that never read. */
export function slowReaders(count: number, bytesPerSecond: number): Attack {
  return (order) => {
    const readers: SlowReader[] = [];
    const timer = setInterval(() => {
      for (let at = 0; at < OPENED_AT_A_TIME; at += 1) {
        readers.push(new SlowReader(order, bytesPerSecond));
      }
      if (readers.length >= count) clearInterval(timer);
    }, 20);
    return { report: () => readersReport(readers) };
  };
}
