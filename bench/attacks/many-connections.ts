/** More connections than the service may have files: each asks now and then, so that it is not idle, and is opened anew when closed. */
import { encodeRequest } from '../harness/exchange.js';
import { openConnection, type Attack } from './attack.js';

const CONNECTIONS = 400;
const ASK_EVERY_MS = 4_000;
const AGAIN_AFTER_MS = 200;

export const manyConnections: Attack = (order) => {
  let opened = 0;
  let open = 0;
  let answers = 0;
  const request = encodeRequest(order.port, { path: '/health/live', headers: {} });
  const hold = (): void => {
    const socket = openConnection(order);
    let timer: NodeJS.Timeout | undefined;
    let isOpen = false;
    socket.on('connect', () => {
      isOpen = true;
      opened += 1;
      open += 1;
      socket.write(request);
      timer = setInterval(() => socket.write(request), ASK_EVERY_MS);
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
