/** Renders the chart of a station as an SVG image. */
import type { Site } from '../../views/pages/page.js';
import { viewPicture, type PictureOptions } from '../../views/pages/portal/chart/picture.js';
import {
  longestWindow,
  shownComponent,
  shownPeriod,
} from '../../views/pages/portal/portal-model.js';
import { xmlCharacters } from '../../views/xml.js';
import { renderTemplate } from '../../workers/formats/templates.js';
import type { OpenSnapshot } from '../../workers/open-snapshot.js';
import { readCompared, readPortal, readStationSeries, type OlderHours } from '../read-portal.js';

/** The image; undefined for an unknown station, or without components. @throws {SnapshotError} `copy_damaged`. */
export function renderChart(
  picture: PictureOptions['request'],
  snapshot: OpenSnapshot,
  { timeZone }: Site,
  older?: OlderHours,
): string | undefined {
  const portal = readPortal(snapshot);
  const station = portal.stations.find(({ id }) => id === picture.stationId);
  const component = shownComponent(portal, { chosen: picture.componentId, station });
  if (component === undefined) return undefined;
  const period = shownPeriod(portal, picture.period);
  const { stationId, compare } = picture;
  const ids = { stationId, componentId: component.id };
  const series = readStationSeries(snapshot, { ...ids, period }, older);
  if (series === undefined) return undefined;
  const charted = { ...series, component };
  const longest = longestWindow(portal);
  const context = viewPicture({
    request: { ...picture, period },
    timeZone,
    portal,
    series: charted,
    longest: longest && readStationSeries(snapshot, { ...ids, period: longest }),
    compared: compare === undefined ? [] : readCompared(snapshot, compare, charted),
  });
  return xmlCharacters(renderTemplate('chart', { page: context }));
}
