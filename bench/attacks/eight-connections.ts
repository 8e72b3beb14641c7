/** Eight connections that ask for what takes workers longest, in turn, and never for the same twice; all of it is read. */
import { askInTurn, snapshotBefore, type Attack } from './attack.js';

const CONNECTIONS = 8;

const HOUR_MS = 3_600_000;

/** @param addresses how many attackers there are; each has its own address, and as many connections. */
export function eightConnections(addresses = 1): Attack {
  return (order) => {
    const counts = new Map<string, number>();
    void snapshotBefore(order).then((since) => {
      for (let at = 0; at < addresses * CONNECTIONS; at += 1) {
        const from = `127.0.3.${1 + (at % addresses)}`;
        let turn = Math.floor(Math.random() * 5);
        void askInTurn(
          { ...order, from },
          () => pathAt(turn++, since),
          (status) => {
            const name = status === 0 ? 'failed' : `status ${status}`;
            counts.set(name, (counts.get(name) ?? 0) + 1);
          },
        );
      }
    });
    return { report: () => Object.fromEntries(counts) };
  };
}

/** Hardly any is ever asked for twice. */
function pathAt(turn: number, since: string): string {
  const edge = 180 - Math.random();
  const from = new Date(Date.UTC(2026, 7, 12) + Math.floor(Math.random() * 20 * 24 * HOUR_MS));
  const station = 1 + Math.floor(Math.random() * 30);
  const component = 1 + Math.floor(Math.random() * 5);
  const paths = [
    `/api/v1/changes?since=${since}&bbox=-180,-90,${edge},90`,
    `/api/v1/observations.csv?layout=wide&bbox=-180,-90,${edge},90`,
    `/api/v1/observations?bbox=-180,-90,${edge},90&from=${from.toISOString()}`,
    `/portal/export?organization_id=1&station_id=${station}&component_id=${component}&window=30d&format=xlsx`,
    `/portal/station-modal?station_id=${station}&component_id=${component}&window=30d&language=sr-Cyrl`,
  ];
  return paths[turn % paths.length] ?? '';
}
