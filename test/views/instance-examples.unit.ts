/** Programs of recipes with stations and parameters of an instance. */
import t from 'tap';
import { instanceExamples, withExamples } from '../../src/views/instance-examples.js';
import { END_HOUR, portalOf, stationOf } from './pages/portal/portals.js';

const componentOf = (id: number, code: string, unit: string) => ({ id, code, unit, name: code });
const latestOf = (...ids: readonly number[]) => ({
  latest: new Map(ids.map((id) => [id, { hour: END_HOUR, value: 1 }])),
});
const POLLUTANTS = [componentOf(1, 'NO2', 'ug/m3'), componentOf(2, 'PM10', 'ug/m3')];
const WIND = [componentOf(3, 'Wind.speed', 'm s-1'), componentOf(4, 'DIR', '°')];
const STATIONS = [stationOf(1, latestOf(1)), stationOf(2, latestOf(1, 2))];
const PROGRAM = '28005002 NO2 no2 air$ws <- air$WS; air$wd <- air$WD; Europe/Belgrade';

const shown = (...portal: Parameters<typeof portalOf>): string | undefined => {
  const examples = instanceExamples(portalOf(...portal));
  return examples && withExamples(PROGRAM, examples, 'Asia/Tokyo');
};

void t.test(
  'wind has the codes of the components in its units, at a station with wind',
  async (t) => {
    const windy = stationOf(3, latestOf(1, 2, 3, 4));
    t.equal(
      shown([...POLLUTANTS, ...WIND], [...STATIONS, windy]),
      '3 NO2 no2 air$ws <- air$Wind.speed; air$wd <- air$DIR; Asia/Tokyo',
    );
    const without = '2 NO2 no2 air$ws <- air$WS; air$wd <- air$WD; Asia/Tokyo';
    t.equal(shown(POLLUTANTS, STATIONS), without);
  },
);
