/** The table of jobs: each kind's module has its function. */
import t from 'tap';
import { JOBS } from '../../../src/workers/messages.js';

void t.test('each kind of job has its function', async (t) => {
  for (const [kind, { module, run }] of Object.entries(JOBS)) {
    const url = new URL(`../../../src/workers/${module}`, import.meta.url);
    const found = (await import(url.href)) as Readonly<Record<string, unknown>>;
    t.type(found[run], 'function', kind);
  }
});
