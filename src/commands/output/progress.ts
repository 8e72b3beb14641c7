/** Progress of long work: a bar on a terminal, plain lines elsewhere. */
import { Presets, SingleBar } from 'cli-progress';
import { printLine } from './terminal.js';

/** Least time between two plain lines of progress, to keep logs short. */
const PLAIN_INTERVAL_MS = 2000;

/** A new `step` begins a new bar. */
interface ProgressStep {
  readonly step: string;
  readonly doneBytes: number;
  readonly totalBytes: number;
}

export type Update = (progress: ProgressStep) => void;

interface Progress {
  readonly update: Update;
  /** Called before anything else is printed. */
  readonly stop?: () => void;
}

/** Shows the progress of work, as a bar on stderr or as lines on stdout; stops the bar before it resolves. */
export async function withProgress<T>(work: (update: Update) => Promise<T>): Promise<T> {
  const { update, stop } = process.stderr.isTTY ? barProgress() : plainProgress();
  try {
    return await work(update);
  } finally {
    stop?.();
  }
}

function barProgress(): Progress {
  let bar: SingleBar | undefined;
  let current = '';
  return {
    update({ step, doneBytes, totalBytes }) {
      if (bar === undefined || step !== current) {
        bar?.stop();
        current = step;
        bar = new SingleBar(
          { format: `${step.padEnd(12)} {bar} {percentage} %`, hideCursor: true },
          Presets.shades_classic,
        );
        bar.start(totalBytes, doneBytes);
      }
      bar.setTotal(totalBytes);
      bar.update(doneBytes);
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
    update({ step, doneBytes, totalBytes }) {
      const nowMs = performance.now();
      if (step === current && nowMs - printedMs < PLAIN_INTERVAL_MS) return;
      const isNew = step !== current;
      current = step;
      printedMs = nowMs;
      printLine(isNew ? step : `${step}: ${percentage(doneBytes, totalBytes)} %`);
    },
  };
}

function percentage(done: number, total: number): number {
  return total === 0 ? 100 : Math.min(100, Math.floor((100 * done) / total));
}
