/** Readers of the whole dataset at 2 kB a second: what they do not take lies with the kernel, up to 4 MB each. */
import { readersReport, SlowReader, type Attack } from './attack.js';

const READERS = 300;
const BYTES_PER_SECOND = 2_000;
const OPENED_AT_A_TIME = 10;

export const slowReaders: Attack = (order) => {
  const readers: SlowReader[] = [];
  const timer = setInterval(() => {
    for (let at = 0; at < OPENED_AT_A_TIME; at += 1) {
      readers.push(new SlowReader(order, BYTES_PER_SECOND));
    }
    if (readers.length >= READERS) clearInterval(timer);
  }, 20);
  return { report: () => readersReport(readers) };
};
