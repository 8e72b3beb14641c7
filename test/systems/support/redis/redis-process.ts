/** One process of Redis (a server, a sentinel, a node of a cluster) on a free port: killed, stopped and started again at will. */
import { execFile, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { spawnPlain } from '../../../support/service/plain-node.js';
import { holdPort, type Scope } from '../../../support/service/ports.js';
import { inTime } from '../../../support/service/service.js';
import type { TlsFiles } from './authority.js';

/** Longest wait for a line of a log; nothing that Redis is told to do here takes a tenth of it. */
const PATIENCE_MS = 60_000;

export interface RedisProcessOptions {
  readonly program?: 'redis-server' | 'redis-sentinel';
  /** Lines of its configuration file, beside port, address and folder. */
  readonly config: readonly string[];
  /** With which it speaks TLS on its port, and nothing else. */
  readonly tls?: TlsFiles;
  /** Of the user `default`, whom `run` logs in as. */
  readonly password?: string;
  /** What it logs when it is ready. */
  readonly ready: RegExp;
}

interface LineSearch {
  readonly fits: RegExp;
  readonly from: number;
  /** Rejects when there will be no more lines. */
  readonly orEnd?: Promise<never>;
}

export class RedisProcess {
  readonly port: number;
  /** Of its own; `redis.conf` lies in it. */
  readonly directory: string;
  /** What it has logged so far, over restarts. */
  readonly lines: readonly string[];
  readonly #options: RedisProcessOptions;
  readonly #lines: string[] = [];
  readonly #listeners = new Set<(line: string) => void>();
  #child: ChildProcess | undefined;
  #ended: Promise<unknown> = Promise.resolve();

  private constructor(options: RedisProcessOptions, at: { port: number; directory: string }) {
    this.#options = options;
    this.port = at.port;
    this.directory = at.directory;
    this.lines = this.#lines;
  }

  /** Resolves when it is ready; it is gone, and its folder too, when the scope is left. */
  static async start(scope: Scope, options: RedisProcessOptions): Promise<RedisProcess> {
    const directory = await mkdtemp(join(tmpdir(), 'bura-redis-'));
    const redis = new RedisProcess(options, { port: await holdPort(scope), directory });
    scope.teardown(async () => {
      await redis.kill();
      await rm(directory, { recursive: true, force: true, maxRetries: 3 });
    });
    await writeFile(redis.#file, redis.#configuration().join('\n'), { mode: 0o600 });
    await redis.start();
    return redis;
  }

  get #file(): string {
    return join(this.directory, 'redis.conf');
  }

  #configuration(): readonly string[] {
    const { tls, config } = this.#options;
    const port =
      tls === undefined
        ? [`port ${this.port}`]
        : [
            'port 0',
            `tls-port ${this.port}`,
            `tls-cert-file ${tls.certificate}`,
            `tls-key-file ${tls.key}`,
            `tls-ca-cert-file ${tls.authority}`,
            'tls-auth-clients no',
            'tls-replication yes',
          ];
    return [...port, 'bind 127.0.0.1', `dir ${this.directory}`, ...config, ''];
  }

  /** The process id; 0 where it does not run. */
  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  /** Starts it, again on the same port and with what it has written to its folder; resolves when it is ready. */
  async start(): Promise<void> {
    const from = this.#lines.length;
    const { program = 'redis-server', ready } = this.#options;
    const child = spawnPlain(
      [program, this.#file],
      { PATH: process.env['PATH'] ?? '' },
      {
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    this.#child = child;
    const ended = once(child, 'exit');
    this.#ended = ended;
    for (const output of [child.stdout, child.stderr]) {
      if (output === null) throw new Error('its output is read');
      createInterface({ input: output }).on('line', (line) => {
        this.#lines.push(line);
        for (const listen of [...this.#listeners]) listen(line);
      });
    }
    const early = ended.then(() => {
      throw new Error(`${program} ended at once: ${this.#lines.slice(from).join('\n')}`);
    });
    await this.#findLine({ fits: ready, from, orEnd: early });
  }

  /** Resolves with the first line that fits, of those logged from index `from` on or still to come. */
  async waitForLine(fits: RegExp, from = 0): Promise<string> {
    return await this.#findLine({ fits, from });
  }

  async #findLine({ fits, from, orEnd }: LineSearch): Promise<string> {
    let end = (): void => undefined;
    const found = new Promise<string>((resolve) => {
      const listen = (line: string): void => {
        if (fits.test(line)) resolve(line);
      };
      this.#lines.slice(from).forEach(listen);
      end = this.onLine(listen);
    });
    try {
      return await inTime(
        orEnd === undefined ? found : Promise.race([found, orEnd]),
        `a line like ${String(fits)}`,
        PATIENCE_MS,
      );
    } catch (cause) {
      const said = this.#lines.slice(-20).join('\n');
      throw new Error(`port ${this.port} logs no ${String(fits)}, but:\n${said}`, { cause });
    } finally {
      end();
    }
  }

  /** Calls back with each further line, until what it answers is called. */
  onLine(listen: (line: string) => void): () => void {
    this.#listeners.add(listen);
    return () => this.#listeners.delete(listen);
  }

  signal(signal: NodeJS.Signals): void {
    this.#child?.kill(signal);
  }

  /** Sends SIGKILL, which ends a stopped one too, and waits for the end. */
  async kill(): Promise<void> {
    this.#child?.kill('SIGKILL');
    await this.#ended;
    this.#child = undefined;
  }

  /**
   * Has `redis-cli` send one command as the user `default`; answers what it prints for programs.
   *
   * @throws {Error} where the server answers with an error.
   */
  async run(...words: readonly string[]): Promise<string> {
    const { tls, password } = this.#options;
    const options = ['-e', '-h', '127.0.0.1', '-p', String(this.port)];
    if (tls !== undefined) options.push('--tls', '--cacert', tls.authority);
    const env = {
      PATH: process.env['PATH'],
      ...(password !== undefined && { REDISCLI_AUTH: password }),
    };
    const { stdout } = await runFile('redis-cli', [...options, ...words], { env });
    return stdout.trimEnd();
  }

  /** A figure or word of `INFO`, such as `used_memory`; undefined where it is not there. */
  async info(name: string): Promise<string | undefined> {
    const text = await this.run('INFO', 'everything');
    const line = text.split(/\r?\n/).find((one) => one.startsWith(`${name}:`));
    return line?.slice(name.length + 1);
  }
}

const runFile = promisify(execFile);

/** Resolves with the first of these processes that logs such a line from now on, and with the line. */
export async function firstToLog<T extends RedisProcess>(
  processes: readonly T[],
  fits: RegExp,
): Promise<{ readonly redis: T; readonly line: string }> {
  const ends: (() => void)[] = [];
  const found = new Promise<{ readonly redis: T; readonly line: string }>((resolve) => {
    for (const redis of processes) {
      const listen = (line: string): void => {
        if (fits.test(line)) resolve({ redis, line });
      };
      ends.push(redis.onLine(listen));
    }
  });
  try {
    return await inTime(found, `a process that logs ${String(fits)}`, PATIENCE_MS);
  } finally {
    for (const end of ends) end();
  }
}
