/** Starts an attack in a process of its own. */
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { forkOnCore, ofChild } from '../harness/processes.js';
import type { AttackReport } from './attack.js';
import type { AttackName, ToAttack } from './attack-process.js';
import { ATTACKER } from '../harness/addresses.js';

const MODULE = fileURLToPath(new URL('./attack-process.js', import.meta.url));

export interface AttackRun {
  report(): Promise<AttackReport>;
  /** Ends the attacker; all of its connections are reset or closed. */
  stop(): Promise<AttackReport>;
}

export async function startAttack(name: AttackName, port: number): Promise<AttackRun> {
  const child = forkOnCore(MODULE);
  const exited = once(child, 'exit');
  const tell = (message: ToAttack): Promise<AttackReport> => ofChild(child, message);
  await tell({ kind: 'start', name, order: { port, from: ATTACKER } });
  const report = (): Promise<AttackReport> => tell({ kind: 'report' });
  return {
    report,
    stop: async () => {
      const last = await report();
      child.disconnect();
      await exited;
      return last;
    },
  };
}
