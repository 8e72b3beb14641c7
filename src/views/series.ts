/** JSON text of hours and points: `last_hour`, `last_24h` and `/measurements` (spec, "Measurements"). */
import type { Component, Station, Window } from '../snapshot/domain/model.js';
import { dateOfHour, timeOfHour } from '../snapshot/domain/windows.js';

/** One value that is there; `hour` since the epoch, UTC; value in the component's unit. */
interface HourValue {
  readonly componentId: number;
  readonly value: number;
}

/** One hour of a station with at least one value; components ascend by id. */
export interface StationHour {
  readonly hour: number;
  readonly components: readonly HourValue[];
}

/** Body of `last_hour` and `last_24h`: hours ascending. */
export function renderHours(hours: readonly StationHour[]): string {
  return JSON.stringify({
    hours: hours.map(({ hour, components }) => ({
      date: dateOfHour(hour),
      time: timeOfHour(hour),
      components: components.map(({ componentId, value }) => ({
        component_id: componentId,
        value,
      })),
    })),
  });
}

/**
 * Text of one point, as it stands in every window that holds it.
 *
 * A snapshot has 720 hours and a hundred thousand points, so the part before the value is kept.
 */
export function createPointRenderer(): (hour: number, value: number) => string {
  const prefixes = new Map<number, string>();
  return (hour, value) => {
    let prefix = prefixes.get(hour);
    if (prefix === undefined) {
      prefix = `{"date":"${dateOfHour(hour)}","time":"${timeOfHour(hour)}","value":`;
      prefixes.set(hour, prefix);
    }
    // A template writes a finite number as JSON does, in a third of the time of JSON.stringify.
    return `${prefix}${value}}`;
  };
}

/** Body of `GET /measurements`: `points` are texts of the point renderer, ascending by time. */
export function renderTimeSeries(series: {
  readonly station: Station;
  readonly component: Component;
  readonly window: Window;
  readonly points: readonly string[];
}): string {
  const head = JSON.stringify({
    organization_id: series.station.organizationId,
    station_id: series.station.id,
    station_name: series.station.name,
    component_id: series.component.id,
    component_short_name: series.component.shortName,
    unit: series.component.unit,
    window: series.window,
  });
  return `${head.slice(0, -1)},"points":[${series.points.join(',')}]}`;
}
