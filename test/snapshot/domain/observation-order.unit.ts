/** The order of observations: by numeric station id, then parameter code. */
import t from 'tap';
import { inObservationOrder } from '../../../src/snapshot/domain/observation-order.js';
import { component } from '../../support/expected/observation-columns.js';

await t.test('orders series by numeric station id, then by code and not by component id', (t) => {
  const series = [
    { stationId: 2, componentId: 1, start: 0, end: 1 },
    { stationId: 2, componentId: 5, start: 1, end: 2 },
    { stationId: 2, componentId: 8, start: 2, end: 3 },
    { stationId: 10, componentId: 1, start: 3, end: 4 },
  ];
  const components = [component(1, 'SO2'), component(5, 'PM10'), component(8, 'бензен', 'mg.m-3')];
  const ordered = inObservationOrder(series.toReversed(), components);
  t.strictSame(
    ordered.map(({ stationId, parameterCode, unit, start }) => [
      stationId,
      parameterCode,
      unit,
      start,
    ]),
    [
      [2, 'PM10', 'ug.m-3', 1],
      [2, 'SO2', 'ug.m-3', 0],
      [2, 'бензен', 'mg.m-3', 2],
      [10, 'SO2', 'ug.m-3', 3],
    ],
  );
  t.end();
});

await t.test('knows no series of a component that is not listed', (t) => {
  const series = [{ stationId: 1, componentId: 7, start: 0, end: 1 }];
  t.throws(() => inObservationOrder(series, [component(1, 'SO2')]), /no component 7/);
  t.end();
});
