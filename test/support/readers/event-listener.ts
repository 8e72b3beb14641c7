/** A client of server-sent events (WHATWG HTML) over a plain HTTP connection. */
import { once } from 'node:events';
import type { Test } from 'tap';
import { beginAnswer } from '../service/requests.js';
import { inTime } from '../service/service.js';

interface ReceivedEvent {
  readonly id: string;
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export async function listenToEvents(
  t: Test,
  port: number,
  { headers = {}, from = '127.0.0.1' }: { headers?: Record<string, string>; from?: string } = {},
) {
  const response = await beginAnswer({ port }, '/api/v1/events', { headers, localAddress: from });
  t.teardown(() => response.destroy());
  // Rejects where the stream was cut.
  const ended = once(response, 'end');
  ended.catch(() => undefined);
  const events: ReceivedEvent[] = [];
  /** Fields outside of events, such as `retry: 5000`. */
  const others: string[] = [];
  const waiting: (() => void)[] = [];
  let taken = 0;
  let rest = '';
  response.setEncoding('utf8');
  response.on('data', (text: string) => {
    const blocks = (rest + text).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const fields: Record<string, string> = Object.fromEntries(
        block.split('\n').map((line) => [line.split(': ', 1)[0] ?? '', line.replace(/^\w*: /, '')]),
      );
      const { id = '', event = '', data } = fields;
      if (data === undefined) others.push(block);
      else events.push({ id, event, data: JSON.parse(data) as ReceivedEvent['data'] });
    }
    for (const wake of waiting.splice(0)) wake();
  });
  /** Resolves with the next event that no call has returned yet. */
  const next = async (): Promise<ReceivedEvent> => {
    for (;;) {
      const found = events[taken];
      if (found !== undefined) {
        taken += 1;
        return found;
      }
      await new Promise<void>((resolve) => waiting.push(resolve));
    }
  };
  return { response, events, others, ended, next: async () => await inTime(next(), 'an event') };
}
