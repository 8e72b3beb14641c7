/** Requests of which no two are the same: a new `Host`, ignored parameter, `Accept-Language` or filter each, on eight connections. */
import { openConnection, type Attack, type AttackOrder } from './attack.js';

const CONNECTIONS = 8;

/** What the first and the last of as many took. */
const MANY = 1000;

/** HEAD is answered from the same caches as GET. */
const HEAD_END = '\r\n\r\n';

export const variedRequests: Attack = (order) => {
  let asked = 0;
  let answered = 0;
  const statuses: Record<string, number> = {};
  let startedAt = performance.now();
  /** Milliseconds of each thousand. */
  const took: number[] = [];
  const count = (head: string): void => {
    const name = `status ${head.slice(9, 12)}`;
    statuses[name] = (statuses[name] ?? 0) + 1;
    answered += 1;
    if (answered % MANY !== 0) return;
    took.push(performance.now() - startedAt);
    startedAt = performance.now();
  };
  for (let at = 0; at < CONNECTIONS; at += 1) askInTurn(order, () => requestAt(asked++), count);
  return {
    report: () => ({
      ...statuses,
      firstThousandMs: Math.round(took[0] ?? 0),
      lastThousandMs: Math.round(took.at(-1) ?? 0),
    }),
  };
};

/** Asks again as soon as an answer is there. */
function askInTurn(order: AttackOrder, next: () => string, onAnswer: (head: string) => void): void {
  const socket = openConnection(order);
  let head = '';
  socket.on('data', (data) => {
    head += data.toString('latin1');
    if (!head.endsWith(HEAD_END)) return;
    onAnswer(head);
    head = '';
    socket.write(next());
  });
  socket.write(next());
}

/** Kinds in turn, so that the first and the last thousand have as many of each. */
function requestAt(at: number): string {
  const kinds = [
    ['/sitemap.xml', `Host: h${at}.example`],
    [`/?_=${at}`, 'Host: localhost'],
    ['/', `Host: localhost\r\nAccept-Language: x-${at}`],
    [`/api/v1/stations?bbox=-180,-90,${180 - at / 1e6},90`, 'Host: localhost'],
  ] as const;
  const [target, fields] = kinds[at % kinds.length] ?? kinds[0];
  return `HEAD ${target} HTTP/1.1\r\n${fields}\r\n\r\n`;
}
