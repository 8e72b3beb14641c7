/** Runs the built command to its end, as an operator does. */
import type { ChildProcess, SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { spawnPlain } from './plain-node.js';

export const COMMAND = resolve('build/src/cli.js');

const COMMANDS = resolve('build/test/support/service/commands-process.js');

export interface CommandOptions {
  /** The environment beside `PATH`; the test's own is not inherited. */
  readonly env?: Readonly<Record<string, string>>;
  readonly nodeArguments?: readonly string[];
  /** A program that replaces itself by the command, such as `unshare -m`. */
  readonly wrap?: readonly string[];
  readonly directory?: string;
  /** Called with the process before anything is awaited. */
  readonly onStart?: (child: ChildProcess) => void;
}

export interface CommandResult {
  /** Exit code; null when a signal ended the command. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

type RunningCommand = ChildProcess & { readonly stdout: Readable; readonly stderr: Readable };

/** Starts `bura` with these arguments, with empty standard input and readable outputs. */
export function startBura(
  parameters: readonly string[],
  { env = {}, nodeArguments = [], wrap = [], directory }: CommandOptions = {},
): RunningCommand {
  const words = [...wrap, process.execPath, ...nodeArguments, COMMAND, ...parameters];
  const environment = { PATH: process.env['PATH'] ?? '', ...env };
  const options: SpawnOptions = { stdio: ['ignore', 'pipe', 'pipe'], cwd: directory };
  return spawnPlain(words, environment, options) as RunningCommand;
}

export async function runBura(
  parameters: readonly string[],
  options: CommandOptions = {},
): Promise<CommandResult> {
  const child = startBura(parameters, options);
  options.onStart?.(child);
  const [stdout, stderr] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    child.exitCode === null && child.signalCode === null ? once(child, 'exit') : undefined,
  ]);
  return { code: child.exitCode, stdout, stderr };
}

/** Runs `bura` once for each list of arguments, all in one process: for commands that only print or fail. */
export async function runBuras(
  lists: readonly (readonly string[])[],
  { env = {}, nodeArguments = [] }: Pick<CommandOptions, 'env' | 'nodeArguments'> = {},
): Promise<readonly CommandResult[]> {
  const words = [process.execPath, ...nodeArguments, COMMANDS, JSON.stringify(lists)];
  const child = spawnPlain(words, { PATH: process.env['PATH'] ?? '', ...env }) as RunningCommand;
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  if (stderr !== '') throw new Error(stderr);
  return JSON.parse(stdout) as readonly CommandResult[];
}
