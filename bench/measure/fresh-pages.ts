/** Pages of the portal that nobody has asked for before: what one takes of a thread, beside what compressing it takes. */
import { performance } from 'node:perf_hooks';
import { gunzipSync, gzipSync } from 'node:zlib';
import { driveWithDiscard } from '../clients/discard.js';
import type { Driven, Load } from '../clients/load.js';
import { ask, type Target } from '../harness/exchange.js';
import { spreadOf, type Spread } from './statistics.js';
import { GZIP, readNetwork, type Network } from './targets.js';

/** Of a round: more than any machine renders in it. */
const PAGES = 10_000;
/** That are compressed again. */
const COMPRESSED = 40;

export interface FreshPages {
  readonly pagesPerSecond: Spread;
  /** Of all threads of the service, in milliseconds a page. */
  readonly cpuMs: Spread;
  /** The same over what gzip takes for such a page. */
  readonly timesGzip: Spread;
  readonly p99Ms: number;
}

/** @throws when a request failed. */
export async function measurePages(
  load: Omit<Load, 'targets'>,
  rounds: number,
): Promise<FreshPages> {
  const network = await readNetwork(load.server);
  const driven: (Driven & { readonly gzipMs: number })[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const targets = Array.from({ length: PAGES }, () => anyPage(network));
    const gzipMs = await compressing(load, targets.splice(0, COMPRESSED));
    const result = await driveWithDiscard({ ...load, targets });
    if (result.failures > 0) throw new Error(`fresh pages: ${result.failures} failed requests`);
    driven.push({ ...result, gzipMs });
  }
  return {
    pagesPerSecond: spreadOf(driven.map((one) => one.requestsPerSecond)),
    cpuMs: spreadOf(driven.map((one) => one.serverCpuUs / 1000)),
    timesGzip: spreadOf(driven.map((one) => one.serverCpuUs / 1000 / one.gzipMs)),
    p99Ms: spreadOf(driven.map((one) => one.p99Us / 1000)).median,
  };
}

/** Half of them with the panel of a station; of 30 stations and 5 components there are some 40,000. */
function anyPage({ series }: Network): Target {
  const query = new URLSearchParams(anyOf(series).replace(/^[^?]*/, ''));
  query.delete('organization_id');
  if (Math.random() < 0.5) query.delete('station_id');
  query.set('window', anyOf(['1d', '7d', '14d', '30d']));
  query.set('language', anyOf(['sr-Latn', 'sr-Cyrl', 'en']));
  query.set('theme', anyOf(['light', 'dark', '']));
  query.set('sort', anyOf(['name', 'value', 'time']));
  query.set('q', anyOf(['', '', '', 'a', 'b', 'c', 's', 'st']));
  return { path: `/?${query.toString()}`, headers: GZIP };
}

function anyOf<T>(list: readonly T[]): T {
  const one = list[Math.floor(Math.random() * list.length)];
  if (one === undefined) throw new Error('nothing to choose from');
  return one;
}

/** Milliseconds a page, on the level of the service. */
async function compressing({ server }: Pick<Load, 'server'>, targets: readonly Target[]) {
  const bodies = [];
  for (const target of targets) bodies.push(gunzipSync((await ask(server, target)).body));
  const startedAt = performance.now();
  for (const body of bodies) gzipSync(body);
  return (performance.now() - startedAt) / bodies.length;
}
