/** Runs programs without tap's hooks: `ran` whatever the exit code; where `run` fails, the error contains the output. */
import { once } from 'node:events';
import { resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { spawnPlain } from '../../support/service/plain-node.js';

type Ran = Readonly<{ code: number | null; stdout: string; stderr: string }>;

/** @param env the whole environment. */
export async function ran(
  words: readonly string[],
  env: Readonly<Record<string, string>> = { PATH: process.env['PATH'] ?? '' },
  cwd?: string,
): Promise<Ran> {
  const child = spawnPlain(words, env, {
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(cwd !== undefined && { cwd }),
  });
  const [[code], stdout, stderr] = await Promise.all([
    once(child, 'close') as Promise<[number | null]>,
    text(child.stdout as Readable),
    text(child.stderr as Readable),
  ]);
  return { code, stdout, stderr };
}

export const IN_ROOT = resolve('tools/release/in-root.sh');

/** The root that `tools/release/bare-root.sh` has made. */
export const BARE_ROOT = resolve(process.env['BARE_ROOT'] ?? 'out/bare-root');

/** The default of `env` is `PATH` alone. */
type Circumstances = Readonly<{ env?: Readonly<Record<string, string>>; cwd?: string }>;

/** @throws {Error} with the end of both outputs, for another exit code than 0. */
export async function run(
  program: string,
  parameters: readonly string[],
  { env, cwd }: Circumstances = {},
): Promise<Ran> {
  const done = await ran([program, ...parameters], env, cwd);
  if (done.code === 0) return done;
  const said = `${done.stdout}\n${done.stderr}`.trim().slice(-3000);
  throw new Error(`${program} ${parameters.join(' ')}: ${String(done.code)}\n${said}`);
}

/** npm's environment with this user's registry and certificates alone: other settings would be warned of. */
export async function npmEnvironment(): Promise<Readonly<Record<string, string>>> {
  const home = process.env['HOME'] ?? '/root';
  const PATH = process.env['PATH'] ?? '';
  const setting = async (name: string) => {
    const { stdout } = await run('npm', ['config', 'get', name], { env: { PATH, HOME: home } });
    return stdout.trim();
  };
  const certificates = await setting('cafile');
  return {
    PATH,
    HOME: home,
    npm_config_registry: await setting('registry'),
    npm_config_userconfig: '/dev/null',
    npm_config_update_notifier: 'false',
    ...(certificates !== 'null' && certificates !== '' && { npm_config_cafile: certificates }),
  };
}
