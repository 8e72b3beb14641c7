/** Readers of all changes who read nothing, each of another selection: what is made for them lies with the service. */
import { encodeRequest } from '../harness/exchange.js';
import { openConnection, snapshotBefore, type Attack, type AttackOrder } from './attack.js';

const EVERY_MS = 50;
/** Each takes a place of its own among large answers; there may be fewer. */
const READERS = 110;

export const unreadChanges: Attack = (order) => {
  const statuses = new Map<number, number>();
  let asked = 0;
  void snapshotBefore(order).then((since) => {
    const timer = setInterval(() => {
      asked += 1;
      ask(order, `/api/v1/changes?since=${since}&bbox=-180,-90,${180 - asked / 1000},90`, statuses);
      if (asked === READERS) clearInterval(timer);
    }, EVERY_MS);
  });
  return {
    report: () => ({
      asked,
      ...Object.fromEntries([...statuses].map(([status, count]) => [`status ${status}`, count])),
    }),
  };
};

function ask(order: AttackOrder, path: string, statuses: Map<number, number>): void {
  const socket = openConnection(order);
  socket.write(encodeRequest(order.port, { path, headers: {} }));
  socket.once('data', (head) => {
    const status = Number(head.toString('latin1', 9, 12));
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    socket.pause();
  });
}
