/** A crowd of readers, each with an address and two connections: pages, pictures, searches, exports and wide CSV in turn. */
import { crowdAddress } from '../harness/addresses.js';
import { exportPaths, readNetwork } from '../measure/targets.js';
import { askInTurn, type Attack } from './attack.js';

const CONNECTIONS = 2;

const KINDS = ['page', 'picture', 'search', 'export', 'wide CSV'] as const;

/** @param readers how many there are. */
export function crowd(readers: number): Attack {
  return ({ port }) => {
    const counts: Record<string, number> = {};
    void readNetwork(port).then(({ series }) => {
      const files = exportPaths(series, 'xlsx');
      let asked = 0;
      /** Hardly any is ever asked for twice; exports not before each of them was once. */
      const pathOf = (kind: (typeof KINDS)[number]): string => {
        const random = Math.random();
        const [ids = ''] = /station_id=\d+&component_id=\d+/.exec(anyOf(series)) ?? [];
        const [compared = ''] = /(?<=station_id=)\d+/.exec(anyOf(series)) ?? [];
        switch (kind) {
          case 'page':
            return `/?${ids}&compare=${compared}&window=${anyOf(['1d', '7d', '14d', '30d'])}&theme=light`;
          case 'picture':
            return `/portal/chart.png?${ids}&window=7d&width=${700 + Math.floor(random * 200)}&height=${400 + (asked % 50)}`;
          case 'search':
            return `/?q=${random}`;
          case 'export':
            return files[asked % files.length] ?? '/';
          case 'wide CSV':
            return `/api/v1/observations.csv?layout=wide&bbox=-180,-90,${180 - random},90`;
        }
      };
      for (let at = 0; at < readers * CONNECTIONS; at += 1) {
        let turn = at;
        let kind: (typeof KINDS)[number] = 'page';
        const next = (): string => {
          kind = KINDS[turn % KINDS.length] ?? 'page';
          turn += 1;
          asked += 1;
          return pathOf(kind);
        };
        void askInTurn({ port, from: crowdAddress(at % readers) }, next, (status) => {
          const name = `${kind} ${status}`;
          counts[name] = (counts[name] ?? 0) + 1;
        });
      }
    });
    return { report: () => counts };
  };
}

function anyOf(list: readonly string[]): string {
  return list[Math.floor(Math.random() * list.length)] ?? '';
}
