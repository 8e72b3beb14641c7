/** What somebody else notices meanwhile: `/meta` at a fixed rate, and the times that its figures are read for. */
import { startPaced, type Interval, type PacedRun } from '../../clients/paced.js';
import { MEASURER } from '../../harness/addresses.js';
import { now } from '../../harness/visible.js';

/** Asks for `/meta` 500 times a second, from an address that does nothing else. */
export function startBystander(port: number): PacedRun {
  return startPaced({
    server: port,
    targets: [{ path: '/meta', headers: {} }],
    expected: [],
    connections: 16,
    perSecond: 500,
    from: MEASURER,
  });
}

/** The time from now until something is done. */
export async function intervalOf(work: Promise<unknown>): Promise<Interval> {
  const fromMs = now();
  await work;
  return { fromMs, toMs: now() };
}
