/** What is copied into other pages: the address of this state, and the line that shows its chart as an image. */
import { escapeXml } from '../../xml.js';
import { CHART_SIZE, pageLink, type PortalState } from '../page.js';
import { portalLink } from './links.js';

/** Shown in an `<img>` at this size, in pixels. */
const { width, height } = CHART_SIZE;

/** @param baseUrl without a slash at its end; undefined where none is known: then links have no host. */
export function viewShare(
  state: PortalState,
  {
    baseUrl = '',
    componentId,
    label,
  }: {
    readonly baseUrl: string | undefined;
    readonly componentId: number;
    /** What the chart shows, in words. */
    readonly label: string;
  },
) {
  const { stationId, compareId, window } = state;
  const picture = { station_id: stationId, component_id: componentId, window, compare: compareId };
  const imageHref = pageLink('/portal/chart.svg', state, picture);
  const source = escapeXml(`${baseUrl}${imageHref}`);
  return {
    pageUrl: `${baseUrl}${portalLink(state, { componentId })}`,
    imageHref,
    imageCode: `<img src="${source}" alt="${escapeXml(label)}" width="${width}" height="${height}">`,
  };
}
