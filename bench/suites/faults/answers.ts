/** Figures 1 and 2: is any answer wrong, does any request fail, over swaps and restarts under mixed load? */
import { runSoak } from '../../soak/session.js';
import { soakFaults, soakTables } from '../../soak/report.js';
import { whole } from '../../report.js';
import { none, type RunPart } from './part.js';

const SWAPS = 200;
const SWAP_SECONDS = 0.5;
const RESTARTS = 10;
/** About what a restart takes, for which nothing is swapped. */
const RESTART_SECONDS = 2;
const SEED = 10;

export const runAnswers: RunPart = async ({ options, scale, progress }) => {
  const restarts = Math.max(1, Math.round(RESTARTS * scale));
  const seconds = Math.max(5, SWAPS * SWAP_SECONDS * scale + restarts * RESTART_SECONDS);
  const result = await runSoak({
    shape: 'soak',
    seconds,
    swapSeconds: SWAP_SECONDS,
    restarts,
    connections: Math.min(32, options.connections),
    publishEvery: 50,
    documents: 4,
    sampleSeconds: 1,
    seed: SEED,
    progress,
  });
  const { counts, swaps } = result;
  const events = `${whole(counts.answers)}, ${swaps.length} swaps, ${result.restarts} restarts`;
  return {
    tables: soakTables(result),
    criteria: [
      none('1. wrong answers', counts.wrong.count, whole(counts.answers)),
      none('2. failed requests', counts.failed.count, events),
    ],
    notes: [
      ...soakFaults(result),
      'Failed: no whole answer within 15 s, a reset, or a status that nothing calls for. Counted apart: 503 with ' +
        'Retry-After, and connections that a closed port refuses during a restart. Ten million answers, and slopes that ' +
        'mean something, are for npm run bench:soak.',
    ],
    figures: result,
  };
};
