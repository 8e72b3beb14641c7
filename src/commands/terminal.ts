/** What commands say: lines, and progress as a bar on a terminal, as a line now and then elsewhere. */
import { Presets, SingleBar } from 'cli-progress';

/** Between two plain lines of progress: a log that is kept should not consist of them. */
const PLAIN_INTERVAL_MS = 2000;

export interface Progress {
  /** Bytes, or whatever `total` counts; a new `step` begins a new bar. */
  update(step: string, done: number, total: number): void;
  /** Before anything else is printed. */
  stop(): void;
}

export function printLine(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** On stderr: what an operator should know of a command that goes on. */
export function printNote(note: string): void {
  process.stderr.write(`bura: note: ${onOneLine(note)}\n`);
}

/** Text that cannot break a line, or do worse to a terminal. */
export function onOneLine(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ').trim();
}

/**
 * A reader that has seen enough, such as `head`, is no failure: what is left to say goes nowhere. Any other
 * failure of stdout, such as a full disk behind it, ends the process with the one line.
 */
export function watchOutput(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return;
    process.stderr.write(`bura: cannot write to stdout: ${error.message}\n`);
    process.exit(1);
  });
  // Nobody is left to tell.
  process.stderr.on('error', () => undefined);
}

/** The bar goes to stderr; plain lines go to stdout, where stderr is kept for the one line of a failure. */
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
