/** The reading of HTTP answers by tests and benches. */
import t from 'tap';
import { AnswerReader, fieldOf } from '../support/service/exchange.js';

const ANSWER = Buffer.from('HTTP/1.1 200 OK\r\nETag: W/"a"\r\nContent-Length: 5\r\n\r\nhello');

void t.test('a 304 ends with its head; bytes that nobody asked for are an error', async (t) => {
  const reader = new AnswerReader();
  t.equal(reader.read(Buffer.from('HTTP/1.1 304 Not Modified\r\n\r\n'))?.status, 304);
  const answer = reader.read(ANSWER);
  t.equal(answer?.body.toString(), 'hello');
  t.equal(answer && fieldOf(answer, 'etag'), 'W/"a"');
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
