/** Versions of everything that a result depends on. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { findNginx } from '../references/nginx.js';
import { NEWER_NODE } from './newer-node.js';

const run = promisify(execFile);

const PACKAGES = ['autocannon', 'uWebSockets.js', 'uWebSockets.js-current', 'fastify', 'lmdb'];
/** Versions by name; `none` for a missing program. The commit has a `+` if files differ from it. */
export async function versions(): Promise<Readonly<Record<string, string>>> {
  const found: Record<string, string> = {
    bura: await packageVersion('package.json'),
    commit: `${await printed('git', ['rev-parse', 'HEAD'])}${(await printed('git', ['status', '--porcelain', '--', 'src', 'bench', 'package-lock.json'])) === '' ? '' : '+'}`,
    node: process.version,
    'node of SQLite': `v${NEWER_NODE}`,
    wrk: await printed('wrk', ['--version'], /wrk \S+/),
    nginx: await printed((await findNginx()) ?? 'nginx', ['-v'], /nginx\/\S+/),
  };
  for (const name of PACKAGES) {
    found[name] = await packageVersion(`node_modules/${name}/package.json`);
  }
  return found;
}

async function packageVersion(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch(() => '{}');
  const { version = 'none' } = JSON.parse(text) as { readonly version?: string };
  return version;
}

/** Output of a program on either stream, or the part that a pattern finds; some end with 1 after their version. */
async function printed(program: string, flags: readonly string[], of = /^.*/): Promise<string> {
  const { stdout, stderr } = await run(program, [...flags]).catch((error: unknown) => ({
    stdout: 'none',
    stderr: '',
    ...(error as { readonly stdout?: string; readonly stderr?: string }),
  }));
  return of.exec(`${stdout}${stderr}`)?.[0] ?? 'none';
}
