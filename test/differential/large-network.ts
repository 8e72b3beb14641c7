/** Now and then a network with a thousand stations and the longest ids. */
import type { Chance } from './chance.js';
import type { Network } from './network.js';

const STATIONS = 1000;

export function perhapsLarge(chance: Chance, network: Network): Network {
  if (!chance.is(0.04)) return network;
  const { stations, components, measurements } = network;
  const ids = new Set(stations.map((one) => Number(one['station_id'])));
  const firstId = Number.MAX_SAFE_INTEGER - 2 * STATIONS;
  const added = Array.from({ length: STATIONS - ids.size }, (_, at) => {
    const id = firstId + 2 * at + chance.integer(0, 1);
    return { ...chance.pick(stations), station_id: id, station_code: `S${id}` };
  });
  const component = chance.pick(components)['component_id'] ?? 0;
  const at = network.generated_at;
  const rows = added
    .filter(() => chance.is(0.8))
    .map((station) => ({
      station_id: station.station_id,
      component_id: component,
      date: at.slice(0, 10),
      time: `${at.slice(11, 13)}:00`,
      value: chance.integer(-5, 500),
    }));
  return {
    ...network,
    stations: [...stations, ...added],
    measurements: [...measurements, ...rows],
  };
}
