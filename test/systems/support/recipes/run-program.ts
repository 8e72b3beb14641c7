/** Runs programs as a reader of the recipes would: in a folder of their own, with nothing but what they were given. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Test } from 'tap';
import { inTime } from '../../../support/service/service.js';
import { ran } from '../ran.js';

/** A program with its arguments, for example `['bash', 'month.sh']`. */
type Command = readonly [program: string, ...parameters: string[]];

function optionsFor(folder: string) {
  const env = { PATH: process.env['PATH'] ?? '', HOME: folder, LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8' };
  return { cwd: folder, env };
}

/** Runs a program; resolves with its standard output, and rejects when its exit code is not 0. */
export async function runProgram(folder: string, command: Command): Promise<string> {
  const { cwd, env } = optionsFor(folder);
  const { code, stdout, stderr } = await inTime(ran(command, env, cwd), command.join(' '));
  if (code === 0) return stdout;
  throw new Error(`${command.join(' ')}: ${String(code)}\n${stderr}`);
}

export interface EndlessProgram {
  /** The next line that it prints on standard output. */
  readonly nextLine: () => Promise<string>;
}

/** Starts a program that does not end by itself; the end of the test kills it and its children. */
export function startProgram(t: Test, folder: string, command: Command): EndlessProgram {
  const [program, ...parameters] = command;
  const child = spawn(program, parameters, {
    ...optionsFor(folder),
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((settle) => child.once('close', settle));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  t.teardown(async () => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
    await ended;
  });
  return {
    nextLine: async () => {
      const next = await inTime(lines.next(), `a line of ${program}`);
      if (next.done === true) throw new Error(`${program} has ended`);
      return next.value;
    },
  };
}
