/** The server and its body sender on a real port: long bodies at each client's pace, and their ends. */
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as after } from 'node:timers/promises';
import t, { type Test } from 'tap';
import {
  PendingAnswer,
  type Answer,
  type BodyReader,
  type BodyReading,
  type LongBody,
} from '../../../src/http/semantics/answer.js';
import { errorAnswer } from '../../../src/http/semantics/error-answers.js';
import { headerBlock, withField } from '../../../src/http/semantics/header-block.js';
import { eventually } from '../../support/service/service.js';
import { HOST, serveOnWire, type ReadableCounters } from './wire-server.js';

const HEADERS = headerBlock([['Content-Type', 'application/octet-stream']]);
const CHUNK_BYTES = 100_000;

/** A long body of known bytes, which counts how often it was opened and closed. */
class CountedBody implements LongBody {
  readonly residentBytes = 0;
  readonly readingBytes = 0;
  readonly openFiles = 0;
  readonly byteLength: number;
  opened = 0;
  closed = 0;
  /** Called at each close. */
  onClose = (): void => undefined;
  /** The reader of the last reading. */
  reader: BodyReader = { onReady: () => undefined, onRevoked: () => undefined };

  constructor(byteLength: number) {
    this.byteLength = byteLength;
  }

  open(reader: BodyReader): BodyReading {
    this.opened += 1;
    this.reader = reader;
    return {
      byteLength: this.byteLength,
      from: (offset) => this.from(offset),
      close: () => {
        this.closed += 1;
        this.onClose();
      },
    };
  }

  from(offset: number): Uint8Array | undefined {
    return bytesFrom(offset, Math.min(CHUNK_BYTES, this.byteLength - offset));
  }
}

class UnopenableBody extends CountedBody {
  override open(): BodyReading {
    throw new Error('too many open files');
  }
}

const FAILURES = ['fails at once', 'fails later', 'is taken back', 'never ends'] as const;

interface Failure {
  readonly how: (typeof FAILURES)[number];
  /** How many bytes can be read before. */
  readonly readTo: number;
  readonly onHang: () => void;
}

class FailingBody extends CountedBody {
  readonly #failure: Failure;
  #hasFailed: boolean;

  constructor(failure: Failure) {
    super(1_000_000);
    this.#failure = failure;
    this.#hasFailed = failure.how === 'fails at once';
  }

  override from(offset: number): Uint8Array | undefined {
    const { how, readTo, onHang } = this.#failure;
    if (offset < readTo) return bytesFrom(offset, readTo - offset);
    if (this.#hasFailed) throw new Error('EIO');
    setImmediate(() => {
      if (how === 'is taken back') this.reader.onRevoked();
      if (how === 'never ends') onHang();
      this.#hasFailed = how === 'fails later';
      if (this.#hasFailed) this.reader.onReady();
    });
    return undefined;
  }
}

/** Bytes that repeat after 251, which divides no size of a chunk; as many as the largest body has. */
const PATTERN = Buffer.alloc(
  60_000_251,
  Uint8Array.from({ length: 251 }, (_, at) => at),
);

function bytesFrom(offset: number, length: number): Uint8Array {
  return PATTERN.subarray(offset % 251, (offset % 251) + length);
}

function answerOf(body: LongBody): Answer {
  return { status: 200, headers: HEADERS, body };
}

const soonOrLater = (query: string, answer: Answer): Answer | PendingAnswer =>
  query === 'later' ? new PendingAnswer(Promise.resolve(answer)) : answer;

async function ask(port: number, query = '', headers = {}): Promise<IncomingMessage> {
  const request = get({ host: HOST, port, path: `/body${query}`, agent: false, headers });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return response;
}

/** Makes timers that are started now run a hundred times as fast. @returns what makes the time leap. */
function fastClock(t: Test): (milliseconds: number) => void {
  const real = globalThis.setInterval;
  const now = performance.now.bind(performance);
  t.teardown(() => {
    globalThis.setInterval = real;
    performance.now = now;
  });
  // The one timer that looks at slow readers is started with the server, and looks every 4 s.
  globalThis.setInterval = ((act: () => void, ms: number) =>
    real(act, ms / 100)) as typeof setInterval;
  let leaptMs = 0;
  performance.now = () => now() + leaptMs;
  return (milliseconds) => {
    leaptMs += milliseconds;
  };
}

void t.test('ends a body not taken in a minute and its length at 16 kB/s', async (t) => {
  const leap = fastClock(t);
  const shorter = new CountedBody(20_000_000);
  const longer = new CountedBody(60_000_000);
  const { port, counters } = await serveOnWire(t, ({ query }) =>
    answerOf(query === 'longer' ? longer : shorter),
  );
  const slow = await ask(port);
  const honest = await ask(port, '?longer');
  const ended = new Promise<void>((resolve) => {
    shorter.onClose = resolve;
  });
  // Both have taken some, and none is looked at before its bytes have gone as far as they can.
  leap(2_000_000);
  await ended;
  t.equal(longer.closed, 0, 'one of another length has more time');
  t.equal((await buffer(honest)).byteLength, longer.byteLength);
  t.equal(counters.counts.slowReaders, 1);
  await t.rejects(buffer(slow), { code: 'ECONNRESET' });
});

void t.test('shares large answers among clients, and refuses those beyond the limit', async (t) => {
  const body = new CountedBody(20_000_000);
  const limits = { trustProxy: true, largeBodiesMax: 8 };
  const { port, counters } = await serveOnWire(t, () => answerOf(body), limits);
  const askAs = async (client: string): Promise<IncomingMessage> =>
    await ask(port, '', { 'X-Forwarded-For': `203.0.113.1, ${client}` });
  const taken = [];
  for (let count = 0; count < 6; count += 1) taken.push(await askAs('192.0.2.1'));
  const statuses = taken.map(({ statusCode }) => statusCode);
  t.same(new Set(statuses), new Set([200]), 'one client has three quarters');
  const refused = await askAs('192.0.2.1');
  t.equal(refused.statusCode, 503, 'and no more while others may come');
  t.equal(refused.headers['retry-after'], '2');
  taken.push(await askAs('192.0.2.2'), await askAs('192.0.2.3'));
  t.equal(taken.at(-1)?.statusCode, 200, 'others have the rest');
  t.equal((await askAs('192.0.2.4')).statusCode, 503, 'there are no more');
  t.equal(counters.counts.largeRejections, 2);
  const closed = new Promise<void>((resolve) => {
    body.onClose = resolve;
  });
  taken[0]?.destroy();
  await closed;
  const next = await askAs('192.0.2.4');
  t.equal(next.statusCode, 200, 'a place that is free again is given again');
  for (const response of [...taken, next]) response.destroy();
});

void t.test('a body whose snapshot is taken back resets the connection', async (t) => {
  const body = new CountedBody(50_000_000);
  const { port, counters } = await serveOnWire(t, () => answerOf(body));
  const response = await ask(port);
  body.reader.onRevoked();
  body.reader.onRevoked();
  await t.rejects(buffer(response), { code: 'ECONNRESET' }, 'and does not end cleanly');
  t.same([body.closed, counters.inFlight, counters.counts.revokedReaders], [1, 0, 1]);
  body.reader.onRevoked();
  t.equal((await buffer(await ask(port))).byteLength, body.byteLength, 'others are served');
});

/** An answer in memory that is sent at once if the client takes it. */
const SHORT: Answer = { status: 200, headers: HEADERS, body: bytesFrom(0, CHUNK_BYTES) };

/** Asks again and again on one connection, whose bytes nobody reads, until an answer is sent in part. */
async function askUntilFull(port: number, counters: ReadableCounters) {
  const socket = connect({ host: HOST, port, noDelay: true });
  socket.on('error', () => undefined).pause();
  await once(socket, 'connect');
  let requests = 0;
  for (; counters.inFlight === 0; requests += 1) {
    const { total } = counters;
    socket.write('GET /body HTTP/1.1\r\nHost: a\r\n\r\n');
    await eventually('an answer', () => Promise.resolve(counters.total > total));
  }
  return { socket, requests };
}

void t.test('sends the rest of a short body when its client reads on', async (t) => {
  const { port, counters } = await serveOnWire(t, () => SHORT);
  const { socket, requests } = await askUntilFull(port, counters);
  const received = buffer(socket);
  await eventually('the rest is sent', () => Promise.resolve(counters.inFlight === 0));
  socket.end();
  const bodies = (await received).toString('latin1').split(/HTTP\/1\.1 200 OK\r\n[^]*?\r\n\r\n/);
  t.equal(bodies.shift(), '');
  t.equal(bodies.length, requests);
  const whole = Buffer.from(bytesFrom(0, CHUNK_BYTES)).toString('latin1');
  t.same(new Set(bodies), new Set([whole]), 'every body is whole');
});

void t.test('a short body has a quota only while a client holds it', async (t) => {
  const long = answerOf(new CountedBody(20_000_000));
  const { port, counters } = await serveOnWire(
    t,
    ({ query }) => (query === 'long' ? long : SHORT),
    { largeBodiesMax: 4 },
  );
  for (let count = 0; count < 6; count += 1) {
    t.equal((await buffer(await ask(port))).byteLength, CHUNK_BYTES);
  }
  const holders = [await ask(port, '?long'), await ask(port, '?long'), await ask(port, '?long')];
  t.equal((await ask(port)).statusCode, 503, 'one client has three quarters');
  t.equal(counters.counts.largeRejections, 1);
  for (const holder of holders) holder.destroy();
  await eventually('nobody holds one', () => Promise.resolve(counters.inFlight === 0));
  t.equal((await ask(port)).statusCode, 200);
});

void t.test('a client that leaves in a short body is counted', async (t) => {
  const { port, counters } = await serveOnWire(t, () => SHORT);
  const { socket } = await askUntilFull(port, counters);
  socket.resetAndDestroy();
  await eventually('no answer is sent', () => Promise.resolve(counters.inFlight === 0));
  t.equal(counters.counts.clientsGone, 1);
  t.equal((await buffer(await ask(port))).byteLength, CHUNK_BYTES, 'others are served');
});

/** Sends bytes in one packet, and goes when something has come back, or at once. */
async function sendAndLeave(port: number, bytes: string, at: 'once' | 'answer'): Promise<void> {
  const socket = connect({ host: HOST, port, noDelay: true });
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  const closed = once(socket, 'close');
  if (at === 'answer') socket.once('data', () => socket.destroy()).write(bytes);
  else socket.write(bytes, () => socket.resetAndDestroy());
  await closed;
}

void t.test('a body that was opened is closed once, whoever drops its answer', async (t) => {
  const made: CountedBody[] = [];
  const respond = ({ query }: { readonly query: string }): Answer | PendingAnswer => {
    const [kind, ms] = query.split(',');
    const make = (): Answer => {
      const body = new (kind === 'opening' ? CountedBody : UnopenableBody)(200_000);
      made.push(body);
      return answerOf(body);
    };
    return ms === undefined ? make() : new PendingAnswer(after(Number(ms)).then(make));
  };
  const limits = { trustProxy: true, answerDeadlineMs: 50, largeBodiesMax: 4 };
  const { port, counters, server } = await serveOnWire(t, respond, limits);
  const kinds = ['', ',0', ',5', ',80'].flatMap((when) => [`opening${when}`, `unopenable${when}`]);
  for (const query of kinds) {
    const request = (method = 'GET', fields = ''): string =>
      `${method} /body?${query} HTTP/1.1\r\nHost: x\r\n${fields}\r\n`;
    const content = 'Content-Length: 1\r\n';
    for (const bytes of [
      request() + request(),
      request('HEAD') + request('HEAD'),
      request('HEAD') + request(),
      request('GET', content) + request(),
      request(),
      request('GET', content) + 'x',
      request('HEAD'),
    ]) {
      await sendAndLeave(port, bytes, 'once');
      await sendAndLeave(port, bytes, 'answer');
    }
    // More than there may be, so that some are refused.
    await Promise.all(Array.from({ length: 8 }, () => sendAndLeave(port, request(), 'answer')));
  }
  await eventually('all have ended', () =>
    Promise.resolve(counters.inFlight === 0 && server.connections === 0),
  );
  t.ok(made.length > 100, `${made.length} answers`);
  const kept = made.filter(({ opened, closed }) => opened !== closed);
  t.same(kept, []);
  t.ok(made.some(({ opened }) => opened > 0));
  t.equal(server.largeAnswers, 0);
});

void t.test('a body without its first bytes is 503, and a cut one never whole', async (t) => {
  const leap = fastClock(t);
  const onHang = (): void => {
    leap(61_000);
  };
  let body = new CountedBody(0);
  const respond = ({ query }: { readonly query: string }) => soonOrLater(query, answerOf(body));
  const { port, counters, server } = await serveOnWire(t, respond);
  const closing = 'Connection: close\r\n';
  for (const how of FAILURES) {
    for (const path of ['/body', '/body?later']) {
      for (const fields of ['', closing, 'Content-Length: 0\r\n', 'Content-Length: 1\r\n']) {
        const received = async (readTo: number): Promise<string> => {
          body = new FailingBody({ how, readTo, onHang });
          const socket = connect({ host: HOST, port });
          const content = fields.endsWith('1\r\n') ? 'x' : '';
          socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n${fields}\r\n${content}`);
          let text = '';
          socket.on('data', (chunk) => {
            text += chunk.toString('latin1');
            // The answer that is whole, or the first bytes of one that is not.
            if (text.includes('\r\n\r\n') && /^HTTP\/1\.1 503/.test(text)) socket.end();
          });
          socket.on('error', () => undefined);
          await once(socket, 'close');
          t.equal(body.closed, 1);
          return text;
        };
        const label = `${how} ${path} ${fields}`;
        t.match(await received(0), /^HTTP\/1\.1 503 [^]*\r\nRetry-After: 5\r\n/i, label);
        const cut = await received(70_000);
        t.match(cut, /^HTTP\/1\.1 200 [^]*\r\nContent-Length: 1000000\r\n/i, label);
        t.ok(cut.length < 1_000_000);
      }
    }
  }
  t.same([counters.inFlight, server.largeAnswers], [0, 0]);
});

void t.test('an answer is abandoned when it takes too long, and its client gets 503', async (t) => {
  let abandoned = 0;
  const lost = new PendingAnswer(new Promise(() => undefined), () => {
    abandoned += 1;
  });
  const { port, counters } = await serveOnWire(t, () => lost, { answerDeadlineMs: 20 });
  const response = await ask(port);
  t.same([response.statusCode, response.headers['retry-after']], [503, '2']);
  await buffer(response);
  t.same([abandoned, counters.inFlight], [1, 0]);
});

void t.test('a refusal is counted, whatever fields are added to it', async (t) => {
  const busy = errorAnswer('busy');
  const noted = { ...busy, headers: withField(busy.headers, ['X-Ignored-Parameters', 'x']) };
  const { port, counters } = await serveOnWire(t, ({ query }) => soonOrLater(query, noted));
  for (const query of ['', '?later']) {
    const response = await ask(port, query);
    t.equal(response.statusCode, 503);
    t.equal(String(await buffer(response)), '{"detail":"Service is busy. Try again later."}');
  }
  t.equal(counters.counts.busyRejections, 2);
});
