/** The benches' own reading of HTTP answers. */
import fc from 'fast-check';
import t from 'tap';
import { AnswerReader, headerOf } from '../../../bench/harness/exchange.js';

const ANSWER = Buffer.from('HTTP/1.1 200 OK\r\nETag: W/"a"\r\nContent-Length: 5\r\n\r\nhello');

void t.test('an answer is the same wherever it is cut, and the next one too', async () => {
  const again = new AnswerReader();
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: ANSWER.length - 1 })),
      fc.boolean(),
      (cuts, isFirst) => {
        const reader = isFirst ? new AnswerReader() : again;
        const ends = [...new Set(cuts)].sort((a, b) => a - b);
        let from = 0;
        for (const to of ends) {
          if (reader.read(Buffer.from(ANSWER.subarray(from, to))) !== undefined) return false;
          from = to;
        }
        const answer = reader.read(Buffer.from(ANSWER.subarray(from)));
        return answer?.body.toString() === 'hello' && headerOf(answer, 'etag') === 'W/"a"';
      },
    ),
  );
});

void t.test('a 304 ends with its head; bytes that nobody asked for are an error', async (t) => {
  const reader = new AnswerReader();
  t.equal(reader.read(Buffer.from('HTTP/1.1 304 Not Modified\r\n\r\n'))?.status, 304);
  t.equal(reader.read(ANSWER)?.status, 200);
  t.throws(() => reader.read(Buffer.concat([ANSWER, ANSWER])), /after the end/);
  t.throws(() => new AnswerReader().read(Buffer.from('HTTP/1.0 200 OK\r\n\r\n')), /status line/);
  t.throws(() => new AnswerReader().read(Buffer.from('HTTP/1.1 200 OK\r\n\r\n')), /Content-Length/);
});
