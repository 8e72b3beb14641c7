/** Reads hours of a link that have left the snapshot from the archive. */
import { isSameUnit } from '../snapshot/domain/units.js';
import { HOUR_MS } from '../snapshot/domain/windows.js';
import { DAY_HOURS } from '../snapshot/domain/zone-clock.js';
import { isFixed, type PageState } from '../views/pages/page.js';
import { shownComponent, type HourlyValue } from '../views/pages/portal/portal-model.js';
import { heldPart } from '../views/pages/portal/period.js';
import { readDaily } from '../workers/formats/parquet/read-daily.js';
import type { OlderHours } from './read-portal.js';
import { portalOf, type ViewSource } from './view.js';

/** Values of the shown component at the open station; undefined without files. @throws {SnapshotError} `archive_damaged`. */
export async function readOlder(
  state: PageState,
  { snapshot, daily }: ViewSource,
): Promise<OlderHours | undefined> {
  const { period = '1d' } = state;
  if (!isFixed(period) || !daily?.files.length) return undefined;
  const portal = portalOf({ snapshot });
  const station = portal?.stations.find(({ id }) => id === state.stationId);
  if (portal === undefined || station === undefined) return undefined;
  const component = shownComponent(portal, { chosen: state.componentId, station });
  if (component === undefined) return undefined;
  const held = heldPart(period, portal.header);
  const [from, to] = [period.from, Math.min(period.to, held.from)].map((hour) => hour / DAY_HOURS);
  const series = { stationIds: [station.id], parameterCodes: [component.code], from, to };
  const points: HourlyValue[] = [];
  for (const file of daily.files) {
    for (const { date, unit = '', mean: value } of await readDaily(daily, file, series)) {
      if (value === null || !isSameUnit(unit, component.unit)) continue;
      points.push({ hour: date.getTime() / HOUR_MS, value });
    }
  }
  const interval = { from: period.from, to: Math.min(period.to, held.to) };
  return { componentId: component.id, interval, points };
}
