/** The reading of HTTP answers by tests and benches. */
import fc from 'fast-check';
import t from 'tap';
import { AnswerReader, fieldOf } from '../support/service/exchange.js';

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
        return answer?.body.toString() === 'hello' && fieldOf(answer, 'etag') === 'W/"a"';
      },
    ),
  );
});

void t.test('a 304 ends with its head; bytes that nobody asked for are an error', async (t) => {
  const reader = new AnswerReader();
  t.equal(reader.read(Buffer.from('HTTP/1.1 304 Not Modified\r\n\r\n'))?.status, 304);
  t.equal(reader.read(ANSWER)?.status, 200);
  t.throws(() => reader.read(Buffer.concat([ANSWER, ANSWER])), /after the end/);
  const read = (text: string) => new AnswerReader().read(Buffer.from(text));
  t.throws(() => read('HTTP/1.0 200 OK\r\n\r\n'), /status line/);
  t.throws(() => read('HTTP/1.1 200 OK\r\nETag : a\r\n\r\n'), /field line/);
});

void t.test('without a stated length, the end of the connection ends an answer', async (t) => {
  const reader = new AnswerReader();
  t.equal(reader.end(), undefined, 'nothing was read');
  t.equal(reader.read(Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\nno')), undefined);
  t.equal(reader.end()?.body.toString(), 'no');
  reader.read(ANSWER.subarray(0, -1));
  t.equal(reader.end(), undefined, 'cut off');
});
