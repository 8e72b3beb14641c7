/** A feed on the wire: its readers get messages, and a client that does not read is cut off by the next one. */
import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import t from 'tap';
import { SnapshotEvents, type SnapshotEvent } from '../../../src/http/answers/snapshot-events.js';
import type { Answer } from '../../../src/http/semantics/answer.js';
import { headerBlock } from '../../../src/http/semantics/header-block.js';
import { inTime } from '../../support/service/service.js';
import { HOST, serveOnWire } from './wire-server.js';

const HEADERS = headerBlock([['Content-Type', 'text/event-stream']]);
/** Short enough that one that is read is taken at once. */
const TEXT = 'x'.repeat(64 * 1024);
/** The kernel buffers some ten megabytes for a connection without a reader. */
const EVENTS_MAX = 1000;

const answerOf = (feed: SnapshotEvents): Answer => ({ status: 200, headers: HEADERS, feed });

function eventOf(snapshotId: string, data: Readonly<Record<string, string>>): SnapshotEvent {
  return { snapshotId, data: async () => await Promise.resolve(data) };
}

void t.test('who does not read is cut off by the next event, and others hear it', async (t) => {
  const events = new SnapshotEvents();
  const { port, server } = await serveOnWire(t, () => answerOf(events));
  // A client that announces the end of its connection would get no field about it.
  const agent = new Agent({ keepAlive: true });
  t.teardown(() => {
    agent.destroy();
  });
  const listen = async (): Promise<IncomingMessage> => {
    const request = get({ host: HOST, port, path: '/body', agent }).on('error', () => undefined);
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    return response.on('error', () => undefined);
  };
  const [deaf, reader] = [await listen(), await listen()];
  deaf.pause();
  let bytes = 0;
  reader.on('data', (chunk: Buffer) => {
    bytes += chunk.byteLength;
  });
  t.equal(server.listeners, 2);
  const hear = async (snapshotId: string): Promise<void> => {
    const wanted = bytes + TEXT.length;
    events.announce(eventOf(snapshotId, { text: TEXT }));
    while (bytes < wanted) await inTime(once(reader, 'data'), `all of ${snapshotId}`);
  };
  let heard = 0;
  for (; server.listeners === 2 && heard < EVENTS_MAX; heard += 1) await hear(`event ${heard}`);
  t.ok(heard > 10, `the kernel kept ${heard} events`);
  t.equal(server.listeners, 1, 'and then it was cut off');
  await hear('one more');
  t.equal(events.listeners, 1);
  events.close();
  await inTime(once(reader, 'end'), 'the end of the stream');
  t.ok(reader.complete, 'which is a clean one');
  t.equal(reader.headers.connection, 'close', 'and the last answer of its connection');
  t.equal(server.listeners, 0);
});

void t.test('a message is whole, with the end of its chunk, before the next one', async (t) => {
  const events = new SnapshotEvents();
  const { port } = await serveOnWire(t, () => answerOf(events));
  const socket = connect({ host: HOST, port });
  t.teardown(() => socket.destroy());
  socket.write('GET /body HTTP/1.1\r\nHost: x\r\n\r\n');
  let received = '';
  const hear = async (end: string): Promise<void> => {
    while (!received.includes(end)) {
      const [chunk] = (await inTime(once(socket, 'data'), `the end of ${end}`, 5_000)) as [Buffer];
      received += chunk.toString();
    }
  };
  await hear('retry: 5000\n\n\r\n');
  for (const id of ['first', 'second']) {
    events.announce(eventOf(id, { id }));
    await hear(`data: {"id":"${id}"}\n\n\r\n`);
  }
  events.close();
  await hear('\r\n0\r\n\r\n');
});
