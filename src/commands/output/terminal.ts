/** Output of the commands: lines on stdout, notes on stderr. */

export function printLine(line: string): void {
  process.stdout.write(`${line}\n`);
}

export function printNote(note: string): void {
  process.stderr.write(`bura: note: ${onOneLine(note)}\n`);
}

/** The text without line breaks and control characters, which could damage a log or terminal. */
export function onOneLine(text: string): string {
  return withoutControls(text).trim();
}

/** Removes controls, and keeps the blanks at the ends. */
export function withoutControls(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ');
}

/** Ignores a closed stdout, such as that of `head`; ends the process with one line for any other failure of stdout. */
export function watchOutput(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return;
    process.stderr.write(`bura: cannot write to stdout: ${error.message}\n`);
    process.exit(1);
  });
  process.stderr.on('error', () => undefined);
}
