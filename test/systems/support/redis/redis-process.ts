/** One process of Redis (server, sentinel or cluster node) on a free port, which tests kill, stop and start again. */
import { execFile, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { promisify } from 'node:util';
import { spawnPlain } from '../../../support/service/plain-node.js';
import { holdPort, type Scope } from '../../../support/service/ports.js';
import { eventually } from '../../../support/service/service.js';
import type { TlsFiles } from './authority.js';

const execute = promisify(execFile);

export interface RedisProcessOptions {
  readonly program?: 'redis-server' | 'redis-sentinel';
  /** Lines of the configuration file, except port, address and folder. */
  readonly config: readonly string[];
  /** If given, the port takes only connections with TLS. */
  readonly tls?: TlsFiles | undefined;
  /** Password of the user `default`, as whom `run` logs in. */
  readonly password?: string | undefined;
  /** The log line of a process that is ready. */
  readonly ready: RegExp;
}

export class RedisProcess {
  readonly port: number;
  readonly #file: string;
  readonly #options: RedisProcessOptions;
  #said = '';
  #child: ChildProcess | undefined;

  private constructor(options: RedisProcessOptions, at: { port: number; file: string }) {
    this.#options = options;
    this.port = at.port;
    this.#file = at.file;
  }

  /** Resolves when the process is ready; the end of the scope kills it and removes its folder. */
  static async start(scope: Scope, options: RedisProcessOptions): Promise<RedisProcess> {
    const directory = await mkdtemp(join(tmpdir(), 'bura-redis-'));
    const [port, file] = [await holdPort(scope), join(directory, 'redis.conf')];
    const redis = new RedisProcess(options, { port, file });
    scope.teardown(async () => {
      await redis.kill();
      await rm(directory, { recursive: true, force: true, maxRetries: 3 });
    });
    const { tls, config } = options;
    const listening = tls === undefined ? [`port ${port}`] : tlsLines(port, tls);
    const lines = [...listening, 'bind 127.0.0.1', `dir ${directory}`, ...config, ''];
    await writeFile(file, lines.join('\n'), { mode: 0o600 });
    await redis.start();
    return redis;
  }

  /** Whether the process has been started, and not killed since. */
  get isRunning(): boolean {
    return this.#child !== undefined;
  }

  /** Everything that the process has logged so far, over restarts. */
  get said(): string {
    return this.#said;
  }

  /** Starts the process, again on the same port with the same folder; resolves when it is ready. */
  async start(): Promise<void> {
    const from = this.#said.length;
    const { program = 'redis-server', ready } = this.#options;
    const environment = { PATH: process.env['PATH'] ?? '' };
    const child = spawnPlain([program, this.#file], environment, {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    for (const output of [child.stdout, child.stderr]) {
      output?.setEncoding('utf8').on('data', (text: string) => {
        this.#said += text;
      });
    }
    await this.says(ready, from);
  }

  /** Resolves when the process has logged such a line, from index `from` of `said` on. */
  async says(line: RegExp, from = 0): Promise<void> {
    await eventually(`port ${this.port} logs ${String(line)}`, () => {
      if (hasEnded(this.#child)) throw new Error(`it has ended: ${this.#said.slice(from)}`);
      return Promise.resolve(line.test(this.#said.slice(from)));
    });
  }

  signal(signal: NodeJS.Signals): void {
    this.#child?.kill(signal);
  }

  /** Sends SIGKILL, which also ends a stopped process, and waits for the end. */
  async kill(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined || hasEnded(child)) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }

  /**
   * Sends one command by `redis-cli` as the user `default`.
   *
   * @returns the output without decoration, as `redis-cli` prints it for programs.
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
    return (await execute('redis-cli', [...options, ...words], { env })).stdout.trimEnd();
  }

  /** A value of `INFO`, such as `role`; undefined without it. */
  async info(name: string): Promise<string | undefined> {
    const lines = (await this.run('INFO', 'everything')).split(/\r?\n/);
    return lines.find((one) => one.startsWith(`${name}:`))?.slice(name.length + 1);
  }
}

function tlsLines(port: number, { authority, certificate, key }: TlsFiles): readonly string[] {
  const files = [`tls-cert-file ${certificate}`, `tls-key-file ${key}`];
  const rules = [`tls-ca-cert-file ${authority}`, 'tls-auth-clients no', 'tls-replication yes'];
  return ['port 0', `tls-port ${port}`, ...files, ...rules];
}

function hasEnded(child: ChildProcess | undefined): boolean {
  return child !== undefined && (child.exitCode ?? child.signalCode) !== null;
}

/** Resolves with the first process that logs such a line from now on, and its match; the runner ends a longer wait. */
export async function firstToSay<T extends RedisProcess>(
  processes: readonly T[],
  line: RegExp,
): Promise<{ readonly redis: T; readonly match: RegExpExecArray }> {
  const from = processes.map(({ said }) => said.length);
  for (;;) {
    for (const [at, redis] of processes.entries()) {
      const match = line.exec(redis.said.slice(from[at]));
      if (match !== null) return { redis, match };
    }
    await after(20);
  }
}
