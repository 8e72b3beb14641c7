/** Output of the commands: lines, and progress as a bar on a terminal or as plain lines elsewhere. */
import { Presets, SingleBar } from 'cli-progress';

/** The least time between two plain lines of progress, so that a stored log does not consist of them. */
const PLAIN_INTERVAL_MS = 2000;

export interface Progress {
  /** `done` and `total` are in one unit, mostly bytes; a new `step` begins a new bar. */
  update(step: string, done: number, total: number): void;
  /** Must be called before anything else is printed. */
  stop(): void;
}

export function printLine(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Prints on stderr what an operator should know about a command that goes on. */
export function printNote(note: string): void {
  process.stderr.write(`bura: note: ${onOneLine(note)}\n`);
}

/** The text without line breaks and control characters, which could damage a log or a terminal. */
export function onOneLine(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ').trim();
}

/**
 * Handles failures of stdout. A reader that has seen enough, such as `head`, is no failure: the rest of the output
 * is dropped. Any other one, such as a full disk, ends the process with one line on stderr.
 */
export function watchOutput(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return;
    process.stderr.write(`bura: cannot write to stdout: ${error.message}\n`);
    process.exit(1);
  });
  // Without stderr there is nobody to tell.
  process.stderr.on('error', () => undefined);
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
