/** Renders and compresses all prepared answers of some stations. */
import type { Component, Station } from '../../../snapshot/domain/model.js';
import { answerKey } from '../../../snapshot/local/keys.js';
import type { StoredAnswer } from '../../../snapshot/local/writer.js';
import { firstAtOrAfter } from '../../../snapshot/domain/public.js';
import { windowHours } from '../../../snapshot/domain/windows.js';
import { viewStationMetadata } from '../../../views/legacy.js';
import {
  createPointRenderer,
  renderHours,
  renderTimeSeries,
  type StationHour,
} from '../../../views/series.js';
import { compressAnswer, joinAnswers, jsonAnswer } from '../../formats/answers.js';
import type { JoinedAnswers, RenderStationsTask } from '../../messages.js';

interface SeriesPoints {
  readonly component: Component;
  readonly hours: readonly number[];
  readonly values: readonly number[];
}

type RenderPoint = (hour: number, value: number) => string;

/** Answers of `/{organization_id}/stations/{station_id}/...` and `/measurements`. */
export function renderStations(task: RenderStationsTask): JoinedAnswers {
  const renderPoint = createPointRenderer();
  const answers = task.stations.flatMap((station): readonly StoredAnswer[] => {
    const series = stationSeries(task, station);
    return [
      jsonAnswer(
        answerKey.stationMetadata(stationPath(station)),
        viewStationMetadata(station, task.components),
      ),
      ...hourAnswers(task, station, series),
      ...series.flatMap((one) => [...seriesAnswers(task, { station, series: one, renderPoint })]),
    ];
  });
  return joinAnswers(answers);
}

function stationSeries(task: RenderStationsTask, station: Station): readonly SeriesPoints[] {
  const { series, hours, values } = task.observations;
  const ofStation: SeriesPoints[] = [];
  for (const one of series) {
    if (one.stationId !== station.id) continue;
    const component = task.components.find(({ id }) => id === one.componentId);
    if (!component) continue;
    const points = { component, hours: [] as number[], values: [] as number[] };
    for (let row = one.start; row < one.end; row += 1) {
      const value = values[row] ?? NaN;
      if (Number.isNaN(value)) continue;
      points.hours.push(hours[row] ?? 0);
      points.values.push(value);
    }
    ofStation.push(points);
  }
  return ofStation;
}

/** `last_24h`, its last entry as `last_hour`, and the window `1h` of each component with a value in that hour. */
function* hourAnswers(
  task: RenderStationsTask,
  station: Station,
  series: readonly SeriesPoints[],
): Generator<StoredAnswer> {
  const last24Hours = stationHours(task, series);
  const last = last24Hours.at(-1);
  if (last === undefined) return;
  yield compressAnswer(answerKey.last24Hours(stationPath(station)), renderHours(last24Hours));
  yield compressAnswer(answerKey.lastHour(stationPath(station)), renderHours([last]));
  if (!task.header.supportedWindows.includes('1h')) return;
  const renderPoint = createPointRenderer();
  for (const { componentId, value } of last.components) {
    const component = task.components.find(({ id }) => id === componentId);
    if (!component) continue;
    const points = [renderPoint(last.hour, value)];
    yield compressAnswer(
      answerKey.timeSeries({ ...stationPath(station), componentId, window: '1h' }),
      renderTimeSeries({ station, component, window: '1h', points }),
    );
  }
}

function stationHours(
  task: RenderStationsTask,
  series: readonly SeriesPoints[],
): readonly StationHour[] {
  const { from, to } = windowHours('1d', task.header);
  const hours: StationHour[] = [];
  for (let hour = from; hour < to; hour += 1) {
    const components = series.flatMap(({ component, hours: at, values }) => {
      const value = values[at.lastIndexOf(hour)];
      return value === undefined ? [] : [{ componentId: component.id, value }];
    });
    if (components.length > 0) hours.push({ hour, components });
  }
  return hours;
}

function* seriesAnswers(
  task: RenderStationsTask,
  of: { station: Station; series: SeriesPoints; renderPoint: RenderPoint },
): Generator<StoredAnswer> {
  const { station, series, renderPoint } = of;
  const { component, hours, values } = series;
  const texts = hours.map((hour, index) => renderPoint(hour, values[index] ?? NaN));
  for (const window of task.header.supportedWindows) {
    if (window === '1h') continue;
    const { from } = windowHours(window, task.header);
    const points = texts.slice(firstAtOrAfter(hours, { start: 0, end: hours.length }, from));
    if (points.length === 0) continue;
    yield compressAnswer(
      answerKey.timeSeries({ ...stationPath(station), componentId: component.id, window }),
      renderTimeSeries({ station, component, window, points }),
    );
  }
}

function stationPath(station: Station): { organizationId: number; stationId: number } {
  return { organizationId: station.organizationId, stationId: station.id };
}
