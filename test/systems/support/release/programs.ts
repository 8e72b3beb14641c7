/** Runs programs for tests of a release, without tap's hooks; where one fails, the error contains its output. */
import { resolve } from 'node:path';
import { ran, type Ran } from '../ran.js';

export const IN_ROOT = resolve('tools/release/in-root.sh');

/** The root that `tools/release/bare-root.sh` has made. */
export const BARE_ROOT = resolve(process.env['BARE_ROOT'] ?? 'out/bare-root');

interface Circumstances {
  /** Default: `PATH` alone. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

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

/**
 * The environment of npm with the registry and the certificates of this machine's user, but without other settings of
 * the user: warnings about those would look like warnings about the package.
 */
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
    // The folder of npm's cache.
    HOME: home,
    npm_config_registry: await setting('registry'),
    npm_config_userconfig: '/dev/null',
    npm_config_update_notifier: 'false',
    ...(certificates !== 'null' && certificates !== '' && { npm_config_cafile: certificates }),
  };
}
