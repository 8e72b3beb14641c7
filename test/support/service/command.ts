/** Runs the built command to its end, as an operator would. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';

const COMMAND = resolve('build/src/cli.js');

export interface CommandOptions {
  /** Added to `PATH` and nothing else: the test's own environment does not count. */
  readonly env?: Readonly<Record<string, string>>;
  /** Of Node, before the command. */
  readonly nodeArguments?: readonly string[];
  /** Hears of the process before anything of it is awaited. */
  readonly onStart?: (child: ChildProcess) => void;
}

export interface CommandResult {
  /** Null when a signal ended it. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `bura` with these arguments; standard input is empty. */
export async function runBura(
  parameters: readonly string[],
  { env = {}, nodeArguments = [], onStart }: CommandOptions = {},
): Promise<CommandResult> {
  const child = spawn(process.execPath, [...nodeArguments, COMMAND, ...parameters], {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onStart?.(child);
  const [stdout, stderr] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    child.exitCode === null && child.signalCode === null ? once(child, 'exit') : undefined,
  ]);
  return { code: child.exitCode, stdout, stderr };
}
