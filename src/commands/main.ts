/** Runs the command line of this process: exit codes, and one line on stderr for each failure. */
import { CommanderError } from 'commander';
import { messageOf, SnapshotError } from '../snapshot/domain/snapshot-error.js';
import { SettingsError } from '../settings.js';
import { UsageError } from './command.js';
import { createProgram } from './program.js';
import { onOneLine, watchOutput } from './output/terminal.js';

/** Exit codes: `docs/operations/installing.md`, "Commands and exit codes". */
const FAILED = 1;
const BAD_USAGE = 2;

async function main(): Promise<void> {
  watchOutput();
  process.once('beforeExit', failUnfinished);
  try {
    await createProgram().parseAsync();
  } catch (error) {
    if (error instanceof CommanderError) {
      // Help or version has been printed.
      if (error.exitCode === 0) return;
      fail(usageMessage(error), BAD_USAGE);
      return;
    }
    fail(messageOf(error), exitCodeOf(error));
  } finally {
    process.off('beforeExit', failUnfinished);
  }
}

/** Node exits with 0 when nothing is pending, even if the command is unfinished. */
function failUnfinished(): void {
  fail('the command ended before it was done, which is a bug in bura', FAILED);
}

function exitCodeOf(error: unknown): number {
  if (error instanceof SettingsError || error instanceof UsageError) return BAD_USAGE;
  if (error instanceof SnapshotError && error.code === 'store_unsupported') return BAD_USAGE;
  return FAILED;
}

function usageMessage(error: CommanderError): string {
  const message = error.message.replace(/^error: /, '').replace(/\.$/, '');
  return error.code === 'commander.help'
    ? 'no command given; bura --help lists them'
    : `${message}; see --help`;
}

/** Prints the last line and exits within half a second, even if stderr blocks. */
function fail(message: string, code: number): void {
  process.stderr.write(`bura: ${onOneLine(message)}\n`);
  process.exitCode = code;
  setTimeout(() => process.exit(), 500).unref();
}

await main();
