/**
 * What do clients notice of swaps, imports, restarts and killed fronts, and of others who mean harm?
 *
 * An answer: for each event the longest gap, the p99 beside the quiet one and the time until all is back; and for each attack
 * that once hurt others the p99 of `/meta` from another address beside the quiet one, the failures of others, and the
 * time in which `/health/live` answers; and beside a crowd of readers what each kind of request waits for. Good is what the table of targets says.
 */
import type { BenchOptions, Fault, Progress } from '../options.js';
import type { SuiteResult } from '../report.js';
import { runCrowds } from './faults/crowds.js';
import { runEvents } from './faults/events.js';
import type { Part, RunPart } from './faults/part.js';
import { runUnderAttack } from './faults/under-attack.js';

const PARTS = {
  events: runEvents,
  attacks: runUnderAttack,
  crowds: runCrowds,
} as const satisfies Readonly<Record<Fault, RunPart>>;

/** What is no target has no figure. */
const NO_TARGET =
  'No target: a power loss during an import loses the import, and nothing that is served; the end of a front ' +
  'process resets its open connections; a client that is refused has to come again by itself.';

export async function runFaults(options: BenchOptions, progress: Progress): Promise<SuiteResult> {
  const parts: (readonly [name: string, Part])[] = [];
  for (const name of options.faults) {
    const part = await PARTS[name]({
      options,
      scale: Math.min(1, options.seconds),
      progress: (line) => {
        progress(`${name}: ${line}`);
      },
    });
    parts.push([name, part]);
  }
  return {
    suite: 'faults',
    question:
      'what do clients notice of swaps, restarts, killed fronts, and of others who mean harm?',
    tables: parts.flatMap(([, part]) => part.tables),
    criteria: parts.flatMap(([, part]) => part.criteria),
    notes: [...parts.flatMap(([, part]) => part.notes), NO_TARGET],
    figures: Object.fromEntries(parts.map(([name, part]) => [name, part.figures])),
  };
}
