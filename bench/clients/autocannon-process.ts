/**
 * The process of autocannon. It warms up and measures within one run, so that connections and compiled code are the
 * same before and after the clock starts. It measures from the end of one answer to the end of another: none counts in
 * part.
 */
import autocannon, { type Client, type Request } from 'autocannon';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { urlOf } from '../harness/origin.js';
import { percentilesOf } from '../measure/statistics.js';
import { freshPath } from '../suites/network.js';
import { drivenBetween, readClocks, type Driven, type Load } from './driven.js';

process.once('message', (load: Load) => {
  void measure(load).then((driven) => {
    process.send?.(driven, () => {
      process.exit(0);
    });
  });
});

async function measure(load: Load): Promise<Driven> {
  const { server, connections, warmupMs, measureMs } = load;
  let opened = 0;
  let isMeasuring = false;
  let [bytes, refused, failures] = [0, 0, 0];
  const latenciesMs: number[] = [];
  const cannon = autocannon(
    {
      url: urlOf(server),
      connections,
      // The run is stopped before this time.
      duration: 60 + (warmupMs + measureMs) / 1000,
      setupClient: (client: Client) => {
        client.setRequests(requestsOf(load, opened));
        opened += 1;
      },
    },
    () => undefined,
  );
  cannon.on('response', (_client, status, answerBytes, milliseconds) => {
    if (!isMeasuring) return;
    bytes += answerBytes;
    if (status < 400) latenciesMs.push(milliseconds);
    else if (status === 503) refused += 1;
    else failures += 1;
  });
  cannon.on('reqError', () => {
    failures += 1;
  });
  const clocks = () => {
    const { user, system } = process.cpuUsage();
    return readClocks(load.serverPids, (user + system) / 1e6);
  };
  await delay(warmupMs);
  await answerOrSecond(cannon);
  const before = clocks();
  isMeasuring = true;
  await delay(measureMs);
  await answerOrSecond(cannon);
  const after = clocks();
  isMeasuring = false;
  cannon.stop();
  const percentiles = percentilesOf(latenciesMs);
  const answers = latenciesMs.length;
  return drivenBetween(before, after, { answers, refused, failures, bytes, percentiles });
}

/** Resolves at the end of an answer, or after a second without one, as from a server that is gone. */
async function answerOrSecond(cannon: autocannon.Instance): Promise<void> {
  await Promise.race([once(cannon, 'response'), delay(1000)]);
}

/**
 * The requests of one connection; each connection begins with another one. With more targets than connections, the
 * targets are distributed, because autocannon builds a list for each connection.
 */
function requestsOf(load: Load, connection: number): Request[] {
  const { targets, fresh, connections } = load;
  const first = connection % targets.length;
  const own =
    targets.length > connections
      ? targets.filter((_, at) => at % connections === connection)
      : [...targets.slice(first), ...targets.slice(0, first)];
  return own.map(({ path, headers }) => ({
    method: 'GET',
    path,
    headers: { ...headers },
    ...(fresh && {
      setupRequest: (request: Request) => ({ ...request, path: freshPath(fresh) }),
    }),
  }));
}
