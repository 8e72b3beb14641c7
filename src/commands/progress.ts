/** Progress of long work: a bar on a terminal, plain lines elsewhere. */
import { Presets, SingleBar } from 'cli-progress';
import { printLine } from './terminal.js';

/** The least time between two plain lines of progress, so that a stored log does not consist of them. */
const PLAIN_INTERVAL_MS = 2000;

export interface Progress {
  /** `done` and `total` are in one unit, mostly bytes; a new `step` begins a new bar. */
  update(step: string, done: number, total: number): void;
  /** Must be called before anything else is printed. */
  stop(): void;
}

/** A bar goes to stderr. Plain lines go to stdout, so that stderr has nothing but the one line of a failure. */
export function createProgress(): Progress {
  return process.stderr.isTTY ? barProgress() : plainProgress();
}

function barProgress(): Progress {
  let bar: SingleBar | undefined;
  let current = '';
  return {
    update(step, done, total) {
      if (bar === undefined || step !== current) {
        bar?.stop();
        current = step;
        bar = new SingleBar(
          { format: `${step.padEnd(12)} {bar} {percentage} %`, hideCursor: true },
          Presets.shades_classic,
        );
        bar.start(total, done);
      }
      bar.setTotal(total);
      bar.update(done);
    },
    stop() {
      bar?.stop();
      bar = undefined;
    },
  };
}

function plainProgress(): Progress {
  let current = '';
  let printedMs = 0;
  return {
    update(step, done, total) {
      const nowMs = performance.now();
      if (step === current && nowMs - printedMs < PLAIN_INTERVAL_MS) return;
      const isNew = step !== current;
      current = step;
      printedMs = nowMs;
      printLine(isNew ? step : `${step}: ${percentage(done, total)} %`);
    },
    stop() {
      current = '';
    },
  };
}

function percentage(done: number, total: number): number {
  return total === 0 ? 100 : Math.min(100, Math.floor((100 * done) / total));
}
