/** A real Prometheus with the rules of `deploy/monitoring`, which scrapes one service. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Test } from 'tap';
import { holdPort } from '../../support/service/ports.js';
import { get } from '../../support/service/requests.js';
import { eventually, makeRoot } from '../../support/service/service.js';

interface Series {
  readonly metric: Readonly<Record<string, string>>;
  /** Time and value as text. */
  readonly value: readonly [number, string];
}

export interface Prometheus {
  /** Requests a path of its HTTP API; resolves with the `data` of the answer, and rejects for an invalid expression. */
  api(path: string, parameters?: Readonly<Record<string, string>>): Promise<unknown>;
  query(expression: string): Promise<readonly Series[]>;
}

/** Starts Prometheus on a free port, until the test ends. */
export async function startPrometheus(t: Test, target: string): Promise<Prometheus> {
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
  const words = [
    `--config.file=${config}`,
    `--storage.tsdb.path=${join(directory, 'data')}`,
    `--web.listen-address=127.0.0.1:${port}`,
    '--log.level=warn',
  ];
  const child = spawn('prometheus', words, { stdio: ['ignore', 'ignore', 'inherit'] });
  const ended = once(child, 'exit');
  t.teardown(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  const isReady = async (): Promise<boolean> =>
    (await get({ port }, '/-/ready').catch(() => undefined))?.status === 200;
  await eventually('Prometheus is ready', isReady);
  const api: Prometheus['api'] = async (path, parameters = {}) => {
    const query = new URLSearchParams(parameters).toString();
    const { body } = await get({ port }, `/api/v1/${path}?${query}`);
    const answer = JSON.parse(body.toString()) as { status: string; data?: unknown };
    if (answer.status !== 'success') throw new Error(body.toString());
    return answer.data;
  };
  const query: Prometheus['query'] = async (expression) => {
    const data = await api('query', { query: expression });
    return (data as { readonly result: readonly Series[] }).result;
  };
  return { api, query };
}
