/** Progress of long work: a bar on a terminal, plain lines elsewhere. */
import { Presets, SingleBar } from 'cli-progress';
import { printLine } from './terminal.js';

/** Least time between two plain lines of progress, to keep logs short. */
const PLAIN_INTERVAL_MS = 2000;

/** Shows bytes or other parts of a step; a new `step` begins a new bar. */
export type Update = (step: string, done: number, total: number) => void;

interface Progress {
  readonly update: Update;
  /** Called before anything else is printed. */
  readonly stop?: () => void;
}

/**
 * Shows the progress of work, as a bar on stderr or as lines on stdout; stops the bar before it resolves.
 *
 * @param work is given a function that says a line, which is printed after the bar.
 */
export async function withProgress<T>(
  work: (update: Update, say: (line: string) => void) => Promise<T>,
): Promise<T> {
  const { update, stop } = process.stderr.isTTY ? barProgress() : plainProgress();
  const lines: string[] = [];
  try {
    return await work(update, (line) => void lines.push(line));
  } finally {
    stop?.();
    lines.forEach(printLine);
  }
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
  };
}

function percentage(done: number, total: number): number {
  return total === 0 ? 100 : Math.min(100, Math.floor((100 * done) / total));
}
