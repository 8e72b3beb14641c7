/** Scrapes a service started with `ADMIN_PORT=0`, and parses the text as Prometheus does. */
import { askInstance } from '../../../src/supervisor/lock/ask-instance.js';
import { isInstanceStatus, type InstanceStatus } from '../../../src/supervisor/operators/status.js';
import { get } from './requests.js';
import type { Service } from './service.js';

/** Values by series with its labels: `bura_swaps_total`, `bura_failures_total{code="x"}`. */
export type Samples = ReadonlyMap<string, number>;

export async function adminPortOf(service: Service): Promise<number> {
  return Number((await service.waitForLog('metrics listening'))['port']);
}

export async function scrape(service: Service) {
  const { status, body } = await get({ port: await adminPortOf(service) }, '/metrics');
  if (status !== 200) throw new Error(`a scrape was answered with ${status}`);
  const text = body.toString();
  return { text, samples: samplesOf(text) };
}

/** The status, as `bura status` asks for it; undefined without an answer. */
export async function statusOf(service: Service): Promise<InstanceStatus | undefined> {
  const reply = await askInstance(service.copies, '/status', 10_000);
  const status: unknown = reply.kind === 'reply' ? JSON.parse(reply.body) : undefined;
  return isInstanceStatus(status) ? status : undefined;
}

export function samplesOf(text: string): Samples {
  const samples = new Map<string, number>();
  for (const [line] of text.matchAll(/^[^#\n].*$/gm)) {
    const at = line.lastIndexOf(' ');
    samples.set(line.slice(0, at), Number(line.slice(at + 1)));
  }
  return samples;
}

export function sumOf(samples: Samples, name: string, labels: readonly string[] = []): number {
  let sum = 0;
  for (const [series, value] of samples) {
    const [own = ''] = series.split('{', 1);
    if (own === name && labels.every((label) => series.includes(label))) sum += value;
  }
  return sum;
}

export function answersOf(samples: Samples, route: string): Readonly<Record<string, number>> {
  const found = [...samples].flatMap(([series, count]) => {
    const [, of, status = ''] =
      /^bura_http_requests_total\{route="(.*)",status="(\d+)"\}$/.exec(series) ?? [];
    return of === route && count > 0 ? [[status, count] as const] : [];
  });
  return Object.fromEntries(found);
}
