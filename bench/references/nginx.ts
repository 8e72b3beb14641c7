/**
 * The reference for large bodies: nginx with one worker, serving files as well as it can (`sendfile`, and
 * `gzip_static` for a client that accepts gzip). nginx is a program of the system and not required.
 */
import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../harness/origin.js';
import { startProgram, type Server } from '../harness/processes.js';

const run = promisify(execFile);

/** Names of the program; an ordinary user's PATH on Debian lacks the second one's folder. */
const PROGRAMS = ['nginx', '/usr/sbin/nginx'];

/** Folders that nginx may want to write to, all of them in its own temporary folder. */
const TEMPORARY_PATHS = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];

/** How to call nginx here; `undefined` where it is not installed. */
export async function findNginx(): Promise<string | undefined> {
  for (const program of PROGRAMS) {
    const found = await run(program, ['-v']).catch(() => undefined);
    if (found !== undefined) return program;
  }
  return undefined;
}

/**
 * Serves files from a temporary folder, removed afterwards.
 *
 * @param files bytes by name; clients that accept gzip get `x.gz` for `/x`.
 */
export async function startNginx(
  program: string,
  files: ReadonlyMap<string, Uint8Array>,
  cpu?: number,
): Promise<Server> {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'bura-bench-nginx-'));
  const remove = (): Promise<void> => rm(directory, { recursive: true, force: true });
  try {
    // If root starts nginx, its worker is another user.
    await chmod(directory, 0o755);
    for (const [name, bytes] of files) {
      await writeFile(path.join(directory, name), bytes, { mode: 0o644 });
    }
    const port = await freePort();
    const config = path.join(directory, 'nginx.conf');
    await writeFile(config, configOf(directory, port));
    const command = [program, '-e', 'stderr', '-p', directory, '-c', config] as const;
    const server = await startProgram([...command], { port, cpu });
    return {
      ...server,
      stop: async () => {
        await server.stop();
        await remove();
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

function configOf(directory: string, port: number): string {
  const temporary = TEMPORARY_PATHS.map((name) => `${name}_temp_path ${directory}/${name};`);
  return `daemon off;
worker_processes 1;
error_log stderr;
pid ${directory}/nginx.pid;
events { worker_connections 4096; }
http {
  access_log off;
  ${temporary.join('\n  ')}
  default_type application/octet-stream;
  sendfile on;
  tcp_nopush on;
  gzip_static on;
  open_file_cache max=1000;
  keepalive_requests 100000000;
  server {
    listen 127.0.0.1:${port};
    root ${directory};
  }
}
`;
}
