/** One `bura serve` of whichever build, known by what it writes. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';

const LIMIT_MS = 120_000;
const LOOK_MS = 1;

export class Instance {
  /** Resolves when the process is gone. */
  readonly ended: Promise<unknown>;
  readonly #child: ChildProcess;
  #log = '';

  constructor(cli: string, args: readonly string[], environment: NodeJS.ProcessEnv) {
    this.#child = spawn(process.execPath, [cli, 'serve', ...args], {
      env: environment,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.#child.stdout?.on('data', (chunk: Buffer) => {
      this.#log += chunk.toString();
    });
    this.ended = once(this.#child, 'exit');
    process.once('exit', () => {
      this.#child.kill('SIGKILL');
    });
  }

  /** Waits until it has written these words. */
  async writes(words: string): Promise<void> {
    const deadline = performance.now() + LIMIT_MS;
    while (!this.#log.includes(words)) {
      const isGone = this.#child.exitCode !== null || this.#child.signalCode !== null;
      if (isGone || performance.now() > deadline) throw new Error(`no "${words}":\n${this.#log}`);
      await delay(LOOK_MS);
    }
  }

  async stop(): Promise<void> {
    this.#child.kill('SIGTERM');
    await this.ended;
  }
}
