/** The recipes as a reader finds them, on the page, and their programs, which run with nothing but what they are given. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Test } from 'tap';
import { RECIPE_TOOLS, type RecipeName } from '../../../src/views/recipe-texts.js';
import { get } from '../../support/service/requests.js';
import { unescapeHtml } from '../../support/readers/html.js';
import { inTime } from '../../support/service/service.js';
import { run } from './programs.js';

export const RECIPE_NAMES = RECIPE_TOOLS.flatMap(({ recipes }): RecipeName[] => [...recipes]);

/** The code that the page shows, by recipe; a block of code that belongs to no recipe is an error. */
export async function shownRecipes(
  service: { readonly port: number },
  language = 'en',
): Promise<ReadonlyMap<RecipeName, string>> {
  const page = await get(service, `/api-docs/recipes?language=${language}`);
  const shown = new Map<RecipeName, string>();
  for (const [, id = '', code = ''] of page.body
    .toString()
    .matchAll(/<pre[^>]* aria-labelledby="([^"]*)"><code[^>]*>([^<]*)<\/code><\/pre>/g)) {
    const name = RECIPE_NAMES.find((one) => one.replaceAll(/[/.]/g, '-') === id);
    if (name === undefined) throw new Error(`no recipe is called ${id}`);
    shown.set(name, unescapeHtml(code));
  }
  return shown;
}

type Command = readonly [program: string, ...parameters: string[]];

function environmentOf(folder: string) {
  return { PATH: process.env['PATH'] ?? '', HOME: folder, LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8' };
}

/** Runs a program; resolves with its standard output, and rejects when its exit code is not 0. */
export async function runProgram(folder: string, command: Command): Promise<string> {
  const [program, ...parameters] = command;
  const running = run(program, parameters, { env: environmentOf(folder), cwd: folder });
  return (await inTime(running, command.join(' '))).stdout;
}

/** Starts a program that does not end by itself; the end of the test kills it and its children. */
export function startProgram(t: Test, folder: string, command: Command) {
  const [program, ...parameters] = command;
  const place = { cwd: folder, env: environmentOf(folder), detached: true };
  const child = spawn(program, parameters, { ...place, stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = new Promise((settle) => child.once('close', settle));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  t.teardown(async () => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
    await ended;
  });
  return {
    /** Writes a line to standard input. */
    send: (line: string): void => void child.stdin.write(`${line}\n`),
    /** The next line of standard output. */
    nextLine: async (): Promise<string> => {
      const next = await inTime(lines.next(), `a line of ${program}`);
      if (next.done === true) throw new Error(`${program} has ended`);
      return next.value;
    },
  };
}
