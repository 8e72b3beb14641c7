/** Checks that servers have the same answers before they are timed. */
import { gunzipSync } from 'node:zlib';
import { fieldOf, type Answer } from '../../test/support/service/exchange.js';
import { ask, type Target } from '../harness/exchange.js';

/**
 * The parts of two answers that must be equal: every byte but that of `Date`, the unpacked body, or the number of
 * records.
 */
type Same = 'answers' | 'bodies' | 'records';

/**
 * Compares the answers of the service and a reference on this machine.
 *
 * @param others the requests for the reference, in the order of `asked`.
 * @returns the mean size of the service's body as sent.
 * @throws for different statuses, statuses from 400 on, missing gzip, or different contents.
 */
export async function checkSame(
  same: Same,
  ports: { readonly service: number; readonly reference: number },
  asked: readonly Target[],
  others = asked,
): Promise<number> {
  let bytes = 0;
  for (const [at, target] of asked.entries()) {
    const own = await ask(ports.service, target);
    const other = await ask(ports.reference, others[at] ?? target);
    const wantsGzip = target.headers['Accept-Encoding'] === 'gzip';
    const isPlain = wantsGzip && fieldOf(own, 'content-encoding') !== 'gzip';
    const isSame = own.status < 400 && own.status === other.status && IS_SAME[same](own, other);
    if (isPlain || !isSame) {
      const [one, two] = [headText(own), headText(other)];
      throw new Error(`${target.path} is answered in another way:\n${one}\n--\n${two}`);
    }
    bytes += own.body.length;
  }
  return bytes / asked.length;
}

const IS_SAME: Readonly<Record<Same, (one: Answer, two: Answer) => boolean>> = {
  answers: (one, two) => headText(one) === headText(two) && one.body.equals(two.body),
  bodies: (one, two) => unpacked(one).equals(unpacked(two)),
  records: (one, two) => {
    const [records, others] = [one, two].map((answer) => fieldOf(answer, 'x-record-count'));
    return records !== undefined && records === others;
  },
};

function headText(answer: Answer): string {
  const lines = answer.fields.map(([name, value]) =>
    name === 'Date' ? name : `${name}: ${value}`,
  );
  return [answer.statusLine, ...lines].join('\n');
}

function unpacked(answer: Answer): Buffer {
  const isGzip = fieldOf(answer, 'content-encoding') === 'gzip' && answer.body.length > 0;
  return isGzip ? gunzipSync(answer.body) : answer.body;
}
