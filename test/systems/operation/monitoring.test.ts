/** The files of `deploy/monitoring`: rules, their tests, and the dashboard, with real programs of Prometheus. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import t, { type Test } from 'tap';
import { snapshotDocument } from '../../support/documents/documents.js';
import { holdPort } from '../../support/service/ports.js';
import { get } from '../../support/service/requests.js';
import { adminPortOf, scrape } from '../../support/service/scrape.js';
import { eventually, makeRoot } from '../../support/service/service.js';
import { startServing } from '../../support/service/serve-documents.js';

const FOLDER = 'deploy/monitoring';
const ALERTS = await readFile(`${FOLDER}/alerts.yaml`, 'utf8');
const ALERT_TESTS = await readFile(`${FOLDER}/alerts.test.yaml`, 'utf8');
const names = [...ALERTS.matchAll(/- alert: (\w+)$/gm)].map(([, name = '']) => name);

async function promtool(words: readonly string[], input = ''): Promise<string> {
  const run = promisify(execFile)('promtool', words);
  run.child.stdin?.end(input);
  const { stdout, stderr } = await run;
  return stdout + stderr;
}

const { panels } = JSON.parse(await readFile(`${FOLDER}/dashboard.json`, 'utf8')) as {
  readonly panels: readonly { title?: string; targets?: readonly { readonly expr: string }[] }[];
};

void t.test('the rules are valid, and alert on what their tests say', async (t) => {
  await t.resolves(promtool(['check', 'config', `${FOLDER}/prometheus.yaml`]));
  await t.resolves(promtool(['test', 'rules', `${FOLDER}/alerts.test.yaml`]));
  const tested = [...ALERT_TESTS.matchAll(/alertname: (\w+)/g)].map(([, name = '']) => name);
  t.same(new Set(tested), new Set(names), 'each alert has a test');
  const fired = [...ALERT_TESTS.matchAll(/alertname: (\w+)\n +exp_alerts:/g)];
  t.same(new Set(fired.map(([, name = '']) => name)), new Set(names), 'in which it fires');
});

void t.test('Prometheus takes the metrics, the rules and every panel', async (t) => {
  const env = { ADMIN_PORT: '0', FRONT_PROCESSES: '2', WORKER_THREADS: '1' };
  const service = await startServing(t, snapshotDocument(), { env });
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
        const expression = expr.replaceAll('$__rate_interval', '5s').replaceAll('$instance', '.*');
        // A service without failures counts no failures.
        if (title === 'Failures by code') {
          t.same(await prometheus.query(expression), [], title);
          continue;
        }
        const isThere = async () => (await prometheus.query(expression)).length > 0;
        await eventually(`${title}: ${expression} gives something`, isThere, 60_000);
      }
    }
    await eventually('all rules are evaluated', async () => {
      return !JSON.stringify(await prometheus.api('rules')).includes('"health":"unknown"');
    });
    const { text } = await scrape(service);
    t.equal(await promtool(['check', 'metrics'], text), '', 'promtool finds nothing');
  } finally {
    asking.abort();
    await clients;
  }
  const { groups } = (await prometheus.api('rules')) as {
    readonly groups: readonly { rules: readonly { name: string; health: string }[] }[];
  };
  const found = groups.flatMap(({ rules }) => rules.map(({ name, health }) => `${name} ${health}`));
  t.equal(found.join(), names.map((name) => `${name} ok`).join());
});

/** A real Prometheus with the rules, which scrapes one service, until the test ends. */
async function startPrometheus(t: Test, target: string) {
  const directory = await makeRoot(t);
  const config = join(directory, 'prometheus.yaml');
  // Prometheus scrapes much more often than usual, so that rates exist after a second.
  const lines = [
    'global: { scrape_interval: 250ms, scrape_timeout: 250ms, evaluation_interval: 500ms }',
    `rule_files: ['${resolve('deploy/monitoring/alerts.yaml')}']`,
    `scrape_configs: [{ job_name: bura, static_configs: [{ targets: ['${target}'] }] }]`,
  ];
  await writeFile(config, `${lines.join('\n')}\n`);
  const port = await holdPort(t);
  const words = [`--config.file=${config}`, `--storage.tsdb.path=${join(directory, 'data')}`];
  words.push(`--web.listen-address=127.0.0.1:${port}`, '--log.level=warn');
  const child = spawn('prometheus', words, { stdio: ['ignore', 'ignore', 'inherit'] });
  const ended = once(child, 'exit');
  t.teardown(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  await eventually('Prometheus is ready', async () => {
    return (await get({ port }, '/-/ready').catch(() => undefined))?.status === 200;
  });
  /** The `data` of an answer of its HTTP API; rejects for an invalid expression. */
  const api = async (path: string, parameters: Readonly<Record<string, string>> = {}) => {
    const query = new URLSearchParams(parameters).toString();
    const { body } = await get({ port }, `/api/v1/${path}?${query}`);
    const answer = JSON.parse(body.toString()) as { status: string; data?: unknown };
    if (answer.status !== 'success') throw new Error(body.toString());
    return answer.data;
  };
  const query = async (expression: string) => {
    const data = await api('query', { query: expression });
    return (data as { readonly result: readonly unknown[] }).result;
  };
  return { api, query };
}
