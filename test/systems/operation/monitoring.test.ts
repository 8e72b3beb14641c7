/**
 * The files of `deploy/monitoring`: rules, their tests, the dashboard and the runbook, with real programs of
 * Prometheus.
 */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import t from 'tap';
import { snapshotDocument } from '../../support/documents/documents.js';
import { startPrometheus } from '../support/prometheus.js';
import { get } from '../../support/service/requests.js';
import { adminPortOf, scrape } from '../../support/service/scrape.js';
import { eventually } from '../../support/service/service.js';
import { startServing } from '../../support/service/serve-documents.js';

const FOLDER = 'deploy/monitoring';
const ALERTS = await readFile(`${FOLDER}/alerts.yaml`, 'utf8');
const ALERT_TESTS = await readFile(`${FOLDER}/alerts.test.yaml`, 'utf8');
const names = [...ALERTS.matchAll(/- alert: (\w+)$/gm)].map(([, name = '']) => name);

/** Runs promtool with an input; resolves with its output, and rejects for findings that are errors. */
async function promtool(words: readonly string[], input = ''): Promise<string> {
  const run = promisify(execFile)('promtool', words);
  run.child.stdin?.end(input);
  const { stdout, stderr } = await run;
  return stdout + stderr;
}

interface Panel {
  readonly type: string;
  readonly title?: string;
  readonly targets?: readonly { readonly expr: string }[];
}

const { panels } = JSON.parse(await readFile(`${FOLDER}/dashboard.json`, 'utf8')) as {
  readonly panels: readonly Panel[];
};

/** Panels that are empty for a service without failures. */
const EMPTY = ['Failures by code'];

/** Values that Grafana puts instead of its variables. */
function withoutVariables(expression: string): string {
  return expression.replaceAll('$__rate_interval', '5s').replaceAll('$instance', '.*');
}

void t.test('the rules are valid, and alert on what their tests say', async (t) => {
  await t.resolves(promtool(['check', 'config', `${FOLDER}/prometheus.yaml`]));
  await t.resolves(promtool(['test', 'rules', `${FOLDER}/alerts.test.yaml`]));
  const tested = [...ALERT_TESTS.matchAll(/alertname: (\w+)/g)].map(([, name = '']) => name);
  t.same(new Set(tested), new Set(names), 'each alert has a test');
  const fired = [...ALERT_TESTS.matchAll(/alertname: (\w+)\n +exp_alerts:/g)];
  t.same(new Set(fired.map(([, name = '']) => name)), new Set(names), 'in which it fires');
});

void t.test('Prometheus takes the metrics, the rules and every panel', async (t) => {
  const service = await startServing(t, snapshotDocument(), {
    env: { ADMIN_PORT: '0', FRONT_PROCESSES: '2', WORKER_THREADS: '1' },
  });
  const prometheus = await startPrometheus(t, `127.0.0.1:${await adminPortOf(service)}`);
  const asking = new AbortController();
  const clients = (async () => {
    for (let time = 0; !asking.signal.aborted; time += 1) {
      await get(service, '/meta');
      await get(service, '/stations', { headers: { 'Accept-Encoding': 'gzip' } });
      // Another page each time, so that a worker has to render it.
      await get(service, `/?q=${time}`);
    }
  })();
  try {
    for (const { title = '', targets = [] } of panels) {
      for (const { expr } of targets) {
        const expression = withoutVariables(expr);
        if (EMPTY.includes(title)) {
          t.same(await prometheus.query(expression), [], title);
          continue;
        }
        await eventually(
          `${title}: ${expression} gives something`,
          async () => (await prometheus.query(expression)).length > 0,
          60_000,
        );
        t.pass(`${title}: ${expression}`);
      }
    }
    await eventually('all rules are evaluated', async () => {
      const rules = JSON.stringify(await prometheus.api('rules'));
      return !rules.includes('"health":"unknown"');
    });
    const { text } = await scrape(service);
    t.equal(await promtool(['check', 'metrics'], text), '', 'promtool finds nothing');
  } finally {
    asking.abort();
    await clients;
  }
  const { groups } = (await prometheus.api('rules')) as {
    readonly groups: readonly {
      readonly rules: readonly { readonly name: string; readonly health: string }[];
    }[];
  };
  const rules = groups.flatMap((group) => group.rules);
  t.same(
    rules.map(({ name, health }) => [name, health]),
    names.map((name) => [name, 'ok']),
  );
});
