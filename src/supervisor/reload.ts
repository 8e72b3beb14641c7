/**
 * Reloads the service: starts the command again as it is installed now, with the same arguments, to take over from this
 * process (`docs/operations/restarts.md, "Restarts and upgrades"`).
 */
import { spawn, type ChildProcess } from 'node:child_process';
import type { Log } from '../log/log.js';
import { startChild } from '../snapshot/store/child-process.js';
import type { RecentFailures } from './operators/recent-failures.js';
import { monotonicMicroseconds, notifySystemd } from './systemd.js';

const TAKE_OVER_FLAG = '--take-over';
/** What runs follows the same store. */
const LEFT_OUT: readonly string[] = [TAKE_OVER_FLAG, '--other-store'];

export class Reload {
  readonly #log: Log;
  readonly #failures: RecentFailures;
  #successor: ChildProcess | undefined;
  #isOver = false;

  /** @param failures where those are kept that `bura status` shows. */
  constructor(log: Log, failures: RecentFailures) {
    this.#log = log;
    this.#failures = failures;
  }

  /** Begins, unless one is under way already. */
  begin(): void {
    if (this.#isOver || this.#successor !== undefined) return;
    if (process.pid === 1) {
      this.#log.warn('cannot reload as process 1 of a container, which ends with it');
      return;
    }
    this.#log.info('reloading');
    void notifySystemd('RELOADING=1', `MONOTONIC_USEC=${monotonicMicroseconds()}`);
    const words = process.argv.slice(1).filter((word) => !LEFT_OUT.includes(word));
    const successor = startChild('successor', () =>
      spawn(process.execPath, [...process.execArgv, ...words, TAKE_OVER_FLAG], {
        detached: true,
        stdio: ['ignore', 'inherit', 'inherit'],
      }),
    );
    this.#successor = successor;
    successor.unref();
    successor.once('error', (error) => {
      if (successor.pid === undefined) this.#onFailed(error.message);
    });
    successor.once('exit', (code, signal) => {
      this.#onFailed(signal ?? `exit code ${code ?? 'unknown'}`);
    });
  }

  /** This process ends: its successor, if there is one, has taken over, or is not wanted any more. */
  end({ hasSuccessor }: { readonly hasSuccessor: boolean }): void {
    this.#isOver = true;
    if (!hasSuccessor) this.#successor?.kill('SIGTERM');
  }

  #onFailed(reason: string): void {
    this.#successor = undefined;
    if (this.#isOver) return;
    this.#log.error({ reason }, 'reload failed; nothing has changed');
    this.#failures.record({ kind: 'reload_failed', message: `The reload failed: ${reason}.` });
    void notifySystemd('READY=1', `STATUS=reload failed (${reason}); nothing has changed`);
  }
}
