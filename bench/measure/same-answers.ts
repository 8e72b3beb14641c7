/** Checks that servers have the same answers before they are timed. */
import { gunzipSync } from 'node:zlib';
import { ask, headerOf, type RawAnswer, type Target } from '../harness/exchange.js';

/**
 * Asks two servers for the same targets, so that equal answers are compared and nothing else.
 *
 * @returns the bytes of the body, on average.
 * @throws when a status is not one below 400, when who accepts gzip does not get it, or when a byte of an answer
 *   but its `Date` differs.
 */
export async function checkSameAnswers(
  ports: { readonly service: number; readonly reference: number },
  targets: readonly Target[],
): Promise<number> {
  let bytes = 0;
  for (const target of targets) {
    const service = await ask(ports.service, target);
    const reference = await ask(ports.reference, target);
    if (service.status >= 400) throw new Error(`${target.path}: ${service.statusLine}`);
    const wantsGzip = target.headers['Accept-Encoding'] === 'gzip';
    if (wantsGzip && headerOf(service, 'content-encoding') !== 'gzip') {
      throw new Error(`${target.path} is not compressed for a client that accepts gzip`);
    }
    if (headText(service) !== headText(reference) || !service.body.equals(reference.body)) {
      throw new Error(
        `${target.path} is answered differently:\n${headText(service)}\n--\n${headText(reference)}`,
      );
    }
    bytes += service.body.length;
  }
  return bytes / targets.length;
}

function headText(answer: RawAnswer): string {
  const lines = answer.headers.map(([name, value]) =>
    name === 'Date' ? name : `${name}: ${value}`,
  );
  return [answer.statusLine, ...lines].join('\n');
}

/**
 * The same of bodies alone, each asked for in the words of its server and unpacked where it is compressed.
 *
 * @param pairs how the service and how the reference is asked for the same.
 * @returns the bytes of the service's body as they are sent, on average.
 * @throws when a status is not the same, or a byte of a body differs.
 */
export async function checkSameBodies(
  ports: { readonly service: number; readonly reference: number },
  pairs: readonly { readonly service: Target; readonly reference: Target }[],
): Promise<number> {
  let bytes = 0;
  for (const { service, reference } of pairs) {
    const own = await ask(ports.service, service);
    const other = await ask(ports.reference, reference);
    if (own.status !== other.status || !unpacked(own).equals(unpacked(other))) {
      throw new Error(
        `${service.path} is answered differently: ${own.statusLine}, and ${other.statusLine} to ${reference.path}`,
      );
    }
    bytes += own.body.length;
  }
  return bytes / pairs.length;
}

function unpacked(answer: RawAnswer): Buffer {
  const isGzip = headerOf(answer, 'content-encoding') === 'gzip' && answer.body.length > 0;
  return isGzip ? gunzipSync(answer.body) : answer.body;
}
