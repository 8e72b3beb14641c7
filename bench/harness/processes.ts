/** Starts the processes of a bench (the service, the bare reference, a client); each ends with the bench. */
import { fork, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ask } from './exchange.js';
import { childrenOf, commandLine, descendantsOf } from './system.js';

/** The built command; this module is in `build/bench/harness`. */
export const CLI = fileURLToPath(new URL('../../src/cli.js', import.meta.url));
const START_LIMIT_MS = 60_000;
const STOP_LIMIT_MS = 10_000;

export interface Server {
  readonly port: number;
  /** The processes whose CPU time counts as that of answers. */
  pids(): readonly number[];
  stop(): Promise<void>;
}

export interface Service extends Server {
  /** Process id of the supervisor. */
  readonly pid: number;
  /** The supervisor and everything below it: fronts, an import process, whatever else there is. */
  allPids(): readonly number[];
  /** The process of the import that is running now. */
  importPid(): number | undefined;
  /** The last log lines, for the message of a failure. */
  log(): string;
}

/** Environment variables of a service: where it finds its snapshots. */
export type ServiceEnvironment = Readonly<Record<string, string>>;

/**
 * Starts `bura serve` on 127.0.0.1, on a free port unless the environment names one, and waits until it is ready.
 *
 * @param cpu the only core that it may use; default any.
 * @throws when it is not ready within 60 s.
 */
export async function startService(
  environment: ServiceEnvironment,
  cpu?: number,
): Promise<Service> {
  const child = spawn(...onCore(cpu, [process.execPath, CLI, 'serve']), {
    env: { ...process.env, HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'info', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const pid = pidOf(child);
  let log = '';
  const remember = (chunk: Buffer): void => {
    log = (log + chunk.toString()).slice(-20_000);
  };
  child.stdout.on('data', remember);
  child.stderr.on('data', remember);
  endWithParent(child);
  const port = await waitFor('the service to listen', () => {
    if (child.exitCode !== null) throw new Error(`the service ended:\n${log}`);
    const found = /bura listening on http:\/\/[^\s"]*:(\d+)/.exec(log);
    return found === null ? undefined : Number(found[1]);
  });
  await waitFor('the service to be ready', () => isReady(port)).catch((error: unknown) => {
    child.kill('SIGKILL');
    throw new Error(`${String(error)}\n${log}`);
  });
  const isImport = (each: number): boolean => commandLine(each).includes('import-process');
  return {
    port,
    pid,
    pids: () => [pid, ...childrenOf(pid).filter((each) => !isImport(each))],
    allPids: () => [pid, ...descendantsOf(pid)],
    importPid: () => childrenOf(pid).find(isImport),
    stop: () => stop(child),
    log: () => log,
  };
}

async function isReady(port: number): Promise<true | undefined> {
  const answer = await ask(port, { path: '/health/ready', headers: {} }).catch(() => undefined);
  return answer?.status === 200 ? true : undefined;
}

/**
 * Starts a program of the system as a server that is configured to listen on `port`, and waits until it does.
 *
 * @throws when it ends or does not listen within 60 s, with its last output on stderr.
 */
export async function startProgram(
  command: readonly [program: string, ...rest: string[]],
  { port, cpu }: { readonly port: number; readonly cpu?: number | undefined },
): Promise<Server> {
  const child = spawn(...onCore(cpu, command), { stdio: ['ignore', 'ignore', 'pipe'] });
  endWithParent(child);
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(-2_000);
  });
  await waitFor(`${command[0]} to listen`, () => {
    if (child.exitCode !== null) throw new Error(`${command[0]} ended:\n${said}`);
    const path = '/';
    return ask(port, { path, headers: {} }).then(
      () => true as const,
      () => undefined,
    );
  });
  return serverOf(child, port);
}

/** A server that is a child process, and its children. */
export function serverOf(child: ChildProcess, port: number): Server {
  const pid = pidOf(child);
  return { port, pids: () => [pid, ...childrenOf(pid)], stop: () => stop(child) };
}

/**
 * Sends a child process of the bench a message and resolves with the next one that comes from it.
 *
 * The caller states the answer's type: both ends are the same build.
 */
export function ofChild<Answer>(child: ChildProcess, message: object | string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const fail = (code: number | null): void => {
      reject(new Error(`${child.spawnargs.join(' ')} ended with ${code ?? 'a signal'}`));
    };
    child.once('exit', fail);
    child.once('message', (answer) => {
      child.off('exit', fail);
      resolve(answer as Answer);
    });
    child.send(message);
  });
}

export interface ForkOptions {
  /** The only core for it; undefined for any. */
  readonly cpu?: number | undefined;
  /** Default the Node that the bench runs on. */
  readonly node?: string;
}

/** Starts a module of the bench as a child process with IPC. */
export function forkOnCore(
  module: string,
  { cpu, node = process.execPath }: ForkOptions = {},
): ChildProcess {
  const [execPath, execArgv] = onCore(cpu, [node]);
  const child = fork(module, { execPath, execArgv, serialization: 'advanced' });
  endWithParent(child);
  return child;
}

/** The command on one core by `taskset` (util-linux, which every Debian has); unchanged without a core. */
export function onCore(
  cpu: number | undefined,
  command: readonly string[],
): [program: string, rest: string[]] {
  if (cpu !== undefined) return ['taskset', ['-c', String(cpu), ...command]];
  const [program = '', ...rest] = command;
  return [program, rest];
}

/** Sends SIGTERM, and SIGKILL if the process has not ended after 10 s. */
async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  const late = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS);
  await exited;
  clearTimeout(late);
}

/** Calls `attempt` every 5 ms until it gives a value. */
async function waitFor<T>(
  what: string,
  attempt: () => T | undefined | Promise<T | undefined>,
): Promise<T> {
  const deadline = Date.now() + START_LIMIT_MS;
  while (Date.now() < deadline) {
    const value = await attempt();
    if (value !== undefined) return value;
    await delay(5);
  }
  throw new Error(`waited 60 s for ${what}`);
}

function pidOf(child: ChildProcess): number {
  if (child.pid === undefined) throw new Error(`cannot start ${child.spawnfile}`);
  return child.pid;
}

const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

function endWithParent(child: ChildProcess): void {
  running.add(child);
  child.once('exit', () => running.delete(child));
}
