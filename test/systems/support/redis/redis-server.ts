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

const execute = promisify(execFile);

interface RedisProcessOptions {
  readonly program?: 'redis-server' | 'redis-sentinel';
  /** Lines of the configuration file, except port, address and folder. */
  readonly config: readonly string[];
  readonly tls?: TlsFiles | undefined;
  /** Password of the user `default`, as whom `run` logs in. */
  readonly password?: string | undefined;
  readonly ready: RegExp;
}

type RedisProcess = Awaited<ReturnType<typeof startProcess>>;

/** Resolves when the process is ready; the end of the scope kills it and removes its folder. */
export async function startProcess(scope: Scope, options: RedisProcessOptions) {
  const { program = 'redis-server', config, tls, password, ready } = options;
  const directory = await mkdtemp(join(tmpdir(), 'bura-redis-'));
  const [port, file] = [await holdPort(scope), join(directory, 'redis.conf')];
  const PATH = process.env['PATH'] ?? '';
  let child: ChildProcess | undefined;
  let said = '';
  /** Again on the same port with the same folder; resolves when it is ready. */
  const start = async (): Promise<void> => {
    const from = said.length;
    const started = spawnPlain([program, file], { PATH }, { stdio: ['ignore', 'pipe', 'pipe'] });
    child = started;
    for (const output of [started.stdout, started.stderr]) {
      output?.setEncoding('utf8').on('data', (text: string) => {
        said += text;
      });
    }
    await eventually(`port ${port} logs ${String(ready)}`, () => {
      if (hasEnded(started)) throw new Error(`it has ended: ${said.slice(from)}`);
      return Promise.resolve(ready.test(said.slice(from)));
    });
  };
  /** Sends SIGKILL, which also ends a stopped process, and waits for the end. */
  const kill = async (): Promise<void> => {
    const running = child;
    child = undefined;
    if (running === undefined || hasEnded(running)) return;
    running.kill('SIGKILL');
    await once(running, 'exit');
  };
  /** Sends one command by `redis-cli` as the user `default`. @throws {Error} where the server answers with an error. */
  const run = async (...words: readonly string[]): Promise<string> => {
    const own = ['-e', '-h', '127.0.0.1', '-p', String(port)];
    if (tls !== undefined) own.push('--tls', '--cacert', tls.authority);
    const env = { PATH, ...(password !== undefined && { REDISCLI_AUTH: password }) };
    return (await execute('redis-cli', [...own, ...words], { env })).stdout.trimEnd();
  };
  const info = async (name: string): Promise<string | undefined> => {
    const lines = (await run('INFO', 'everything')).split(/\r?\n/);
    return lines.find((one) => one.startsWith(`${name}:`))?.slice(name.length + 1);
  };
  scope.teardown(async () => {
    await kill();
    await rm(directory, { recursive: true, force: true, maxRetries: 3 });
  });
  const listening = tls === undefined ? [`port ${port}`] : tlsLines(port, tls);
  const lines = [...listening, 'bind 127.0.0.1', `dir ${directory}`, ...config, ''];
  await writeFile(file, lines.join('\n'), { mode: 0o600 });
  await start();
  const signal = (name: NodeJS.Signals): void => void child?.kill(name);
  const state = { isRunning: () => child !== undefined, said: () => said };
  return { port, start, kill, run, info, signal, ...state };
}

function tlsLines(port: number, { authority, certificate, key }: TlsFiles): readonly string[] {
  const files = [`tls-cert-file ${certificate}`, `tls-key-file ${key}`];
  const rules = [`tls-ca-cert-file ${authority}`, 'tls-auth-clients no', 'tls-replication yes'];
  return ['port 0', `tls-port ${port}`, ...files, ...rules];
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return (exitCode ?? signalCode) !== null;
}

/** Resolves with the first process that logs such a line from now on, and its match; the runner ends a longer wait. */
export async function firstToSay<T extends RedisProcess>(
  processes: readonly T[],
  line: RegExp,
): Promise<{ readonly redis: T; readonly match: RegExpExecArray }> {
  const from = processes.map(({ said }) => said().length);
  for (;;) {
    for (const [at, redis] of processes.entries()) {
      const match = line.exec(redis.said().slice(from[at]));
      if (match !== null) return { redis, match };
    }
    await after(20);
  }
}

interface RedisServerOptions {
  readonly password?: string | undefined;
  /** Further users, each as the words of `ACL SETUSER`: a name and rules. */
  readonly users?: readonly string[];
  readonly tls?: TlsFiles | undefined;
  readonly config?: readonly string[];
}

export type RedisServer = RedisProcess & { readonly url: string };

export async function startRedis(
  scope: Scope,
  options: RedisServerOptions = {},
): Promise<RedisServer> {
  const { password, tls } = options;
  const redis = await startProcess(scope, {
    config: serverConfig(options),
    ready: /Ready to accept connections/,
    password,
    tls,
  });
  const scheme = tls === undefined ? 'redis' : 'rediss';
  const url = `${scheme}://${credentials(password)}127.0.0.1:${redis.port}`;
  return { ...redis, url };
}

export function credentials(password: string | undefined): string {
  return password === undefined ? '' : `default:${encodeURIComponent(password)}@`;
}

function serverConfig(options: RedisServerOptions): readonly string[] {
  const { password, users = [] } = options;
  const own = JSON.stringify(password);
  return [
    'save ""',
    // Every answered write is in the file, so no kill loses it.
    'appendonly yes',
    'appendfsync always',
    // By default a master waits five seconds for further replicas before it begins to sync.
    'repl-diskless-sync-delay 0',
    'repl-ping-replica-period 1',
    ...(password === undefined ? [] : [`requirepass ${own}`, `masterauth ${own}`]),
    ...users.map((user) => `user ${user}`),
    ...(options.config ?? []),
  ];
}

export type TlsFiles = Readonly<Record<'authority' | 'certificate' | 'key', string>>;

/** Makes an authority and a certificate that it has signed, whose `subjectAltName` is `names`. */
export async function makeAuthority(
  scope: Scope,
  names = 'IP:127.0.0.1,DNS:localhost',
): Promise<TlsFiles> {
  const directory = await mkdtemp(join(tmpdir(), 'bura-tls-'));
  scope.teardown(() => rm(directory, { recursive: true, force: true }));
  const [authority, authorityKey] = [join(directory, 'authority.pem'), join(directory, 'own.key')];
  const [certificate, key] = [join(directory, 'server.pem'), join(directory, 'server.key')];
  const request = async (...words: readonly string[]): Promise<void> => {
    const usual = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2';
    await promisify(execFile)('openssl', [...usual.split(' '), ...words]);
  };
  await request('-subj', '/CN=Authority', '-keyout', authorityKey, '-out', authority);
  const own = ['-subj', '/CN=Server', '-keyout', key, '-out', certificate];
  const extensions = ['-addext', `subjectAltName=${names}`, '-addext', 'basicConstraints=CA:FALSE'];
  await request(...own, '-CA', authority, '-CAkey', authorityKey, ...extensions);
  return { authority, certificate, key };
}
