/** More connections than the service may have files, each opened anew when closed: they ask now and then, or listen to events. */
import { encodeRequest } from '../harness/exchange.js';
import { openConnection, type Attack } from './attack.js';

const CONNECTIONS = 400;
const AGAIN_AFTER_MS = 200;

/** @param askEveryMs so that a connection is not idle; default: each asks once. */
export function manyConnections(path: string, askEveryMs?: number): Attack {
  return (order) => {
    let opened = 0;
    let open = 0;
    let answers = 0;
    const request = encodeRequest(order.port, { path, headers: {} });
    const hold = (): void => {
      const socket = openConnection(order);
      let timer: NodeJS.Timeout | undefined;
      let isOpen = false;
      socket.on('connect', () => {
        isOpen = true;
        opened += 1;
        open += 1;
        socket.write(request);
        if (askEveryMs !== undefined) timer = setInterval(() => socket.write(request), askEveryMs);
      });
      socket.on('data', () => {
        answers += 1;
      });
      socket.on('close', () => {
        clearInterval(timer);
        if (isOpen) open -= 1;
        setTimeout(hold, AGAIN_AFTER_MS);
      });
    };
    for (let at = 0; at < CONNECTIONS; at += 1) hold();
    return { report: () => ({ opened, open, answers }) };
  };
}
