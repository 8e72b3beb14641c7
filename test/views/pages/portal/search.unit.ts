import t from 'tap';
import {
  distanceFormat,
  searchStations,
  searchText,
} from '../../../../src/views/pages/portal/search.js';

type More = Partial<Readonly<Record<'code' | 'town' | 'street', string>>> & {
  readonly at?: number;
  readonly isMeasuring?: boolean;
};

const station = (name: string, more: More = {}) => ({
  name,
  isMeasuring: more.isMeasuring ?? true,
  text: searchText({ name, code: more.code ?? '', municipality: more.town, address: more.street }),
  ...(more.at !== undefined && { latitude: 40, longitude: more.at }),
});

const STATIONS = [
  station('Rivas-Vaciamadrid', { code: '28123002', at: -3.5 }),
  station('Getafe', { street: 'Calle Pintor Goya', town: 'Getafe', at: -3.7 }),
  station('Escuelas', { street: 'Avenida de Madrid, 3', at: -3.6 }),
  station('Plaza', { town: 'Čačak', at: -3.9 }),
  station('Sin lugar', { street: 'Calle 7' }),
];
const PLACES = [{ name: 'Pinto', latitude: 40, longitude: -3.71 }];
const found = (query: string) => {
  const { stations, place } = searchStations(query, STATIONS, PLACES);
  return [place?.name, ...stations.map(({ name }) => name)];
};

void t.test('a search finds how words begin, in any spelling', async (t) => {
  t.same(found('vacia'), [undefined, 'Rivas-Vaciamadrid']);
  t.same(found('MADRID'), [undefined, 'Escuelas'], 'not the end of a word');
  t.same(found('28123'), [undefined, 'Rivas-Vaciamadrid'], 'a code');
  t.same(found('ЧАЧ'), [undefined, 'Plaza'], 'a municipality');
  t.same(found('get calle'), [undefined], 'words of one field');
  t.same(found('goya pin'), [undefined, 'Getafe'], 'an address');
  t.equal(found('').length, 1 + STATIONS.length, 'all without a word');
  t.equal(found(' ,. ').length, 1 + STATIONS.length);
});

void t.test('a town comes before an address, with the stations nearest to it', async (t) => {
  t.same(found('pinto'), ['Pinto', 'Getafe', 'Escuelas', 'Plaza', 'Rivas-Vaciamadrid']);
  t.same(found('getafe'), [undefined, 'Getafe'], 'a name comes before all');
});

void t.test('near to a town come those that measure, and then those that do not', async (t) => {
  const at = [1, 2, 3, 4, 5, 6, 7, 8].map((distance) =>
    station(`S${distance}`, { at: -3.71 + distance / 100, isMeasuring: distance % 4 !== 0 }),
  );
  const { stations } = searchStations('pinto', at, PLACES);
  t.equal(stations.map(({ name }) => name).join(' '), 'S1 S2 S3 S5 S6 S4');
});

void t.test('distances are written as people say them', async (t) => {
  const texts = [44, 996, 1234, 9949, 12_345].map(distanceFormat('en-GB'));
  t.same(texts, ['40 m', '1,000 m', '1.2 km', '9.9 km', '12 km']);
});
