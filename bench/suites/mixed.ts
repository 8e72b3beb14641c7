/**
 * What do frequent requests notice of all the others?
 *
 * An answer: latencies of four classes of requests at a fixed rate (`bench/measure/mixed-load.ts`), and of the hot ones
 * alone at the rate that they have among the others. Good is a p99 of the hot ones of at most three times that alone, and
 * no failure. In a third step a bare server gets the hot ones while all others go on: what they meet there is what two
 * cores cost that some six processes want, and good is at most twice that. What the service takes at rest, after a swap
 * and before any of it, is measured too: good is at most 100 MB of anonymous memory in all its processes.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { atMost } from '../criteria.js';
import { footprintOf } from '../harness/footprint.js';
import type { Service } from '../harness/processes.js';
import { startReference } from '../harness/references.js';
import { openSetup } from '../harness/setup.js';
import { commandLine, memoryOf } from '../harness/system.js';
import { swapTo } from '../harness/visible.js';
import {
  measureMixed,
  MIXED_NOTE,
  mixedCriteria,
  mixedLatencies,
  mixedTable,
} from '../measure/mixed-load.js';
import type { BenchOptions, Progress } from '../options.js';
import { fixed, type SuiteResult, type Table } from '../report.js';

const MEMORY_LIMIT_MB = 100;
const SETTLE_MS = 5_000;

interface Memory {
  readonly process: string;
  readonly anonymousMb: number;
}

export async function runMixed(options: BenchOptions, progress: Progress): Promise<SuiteResult> {
  const [shape = '105k'] = options.rows;
  const snapshots = [1, 2].map((version) => ({ shape, version }));
  const setup = await openSetup({ snapshots, progress });
  try {
    const { service } = setup;
    await swapTo(setup, setup.snapshots[1]?.snapshotId ?? '');
    await delay(SETTLE_MS);
    const atRest = memoryByProcess(service);
    const measured = await measureMixed(service.port, options, progress, (targets) =>
      startReference('bare', { servicePort: service.port, targets }),
    );
    await delay(SETTLE_MS);
    const afterwards = footprintOf(service).anonymousMb;
    return {
      suite: 'mixed',
      question: `what do frequent requests notice of all the others? (${shape} rows)`,
      tables: [mixedTable(measured), memoryTable(atRest, afterwards)],
      criteria: [
        ...mixedCriteria(measured),
        atMost(
          'anonymous memory of all processes at rest',
          MEMORY_LIMIT_MB,
          sumOf(atRest),
          (mb) => `${fixed(mb, 1)} MB`,
        ),
      ],
      latencies: mixedLatencies(measured),
      notes: [MIXED_NOTE],
      figures: { ...measured, atRest, afterwardsMb: afterwards },
    };
  } finally {
    await setup.close();
  }
}

function memoryByProcess(service: Service): readonly Memory[] {
  return service.allPids().map((pid) => ({
    process: pid === service.pid ? 'supervisor' : kindOf(commandLine(pid)),
    anonymousMb: memoryOf(pid).anonymousMb,
  }));
}

function kindOf(command: string): string {
  if (command.includes('pointer-process')) return 'store process';
  return command.includes('import-process') ? 'import process' : 'front';
}

function memoryTable(atRest: readonly Memory[], afterwardsMb: number): Table {
  const line = (name: string, mb: number): string[] => [name, fixed(mb, 1)];
  return {
    title: 'Anonymous memory',
    columns: ['process', 'MB'],
    rows: [
      ...atRest.map(({ process: name, anonymousMb }) => line(name, anonymousMb)),
      line('all, at rest after a swap', sumOf(atRest)),
      line('all, 5 s after the load', afterwardsMb),
    ],
  };
}

function sumOf(memory: readonly Memory[]): number {
  return memory.reduce((sum, { anonymousMb }) => sum + anonymousMb, 0);
}
