/**
 * Restarts the service by `deploy/systemd/bura-restart` under load, as often as its parameter says; prints the clients'
 * results as JSON. Its network namespace has kernel settings of its own.
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { startLoad } from '../../../support/service/steady-load.js';

const execute = promisify(execFile);
const RESTARTS = Number(process.argv[2]);
/** Answers from the start of a restart to that of the next one. */
const ANSWERS = 3000;
const PORT = 8080;

/** `said` has the script's output, an entry for each run. */
export type Outcome = Readonly<{ answered: number; failures: readonly string[]; said: string[] }>;

async function restart(): Promise<string> {
  const { stdout } = await execute('deploy/systemd/bura-restart', { timeout: 120_000 });
  return stdout.trimEnd();
}

const said = [await restart()];
const requests = ['/meta', '/health/ready', '/1/stations'].map((path) => ({ method: 'GET', path }));
const loads = [true, false].map((keepAlive) =>
  startLoad({ port: PORT }, 8, { requests, keepAlive, expectsFailures: true }),
);
const answered = (): number => loads.reduce((sum, load) => sum + load.answered, 0);
for (let restarts = 1; restarts <= RESTARTS; restarts += 1) {
  said.push(await restart());
  while (answered() < restarts * ANSWERS) await loads[0]?.more(50);
}
await Promise.all(loads.map((load) => load.stop()));
const failures = loads.flatMap((load) => load.failures);
const outcome: Outcome = { answered: answered(), failures, said };
process.stdout.write(JSON.stringify(outcome));
