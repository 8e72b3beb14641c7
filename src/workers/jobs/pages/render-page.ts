/** Renders one page in one state: reads its data, makes the context of its template, and renders that. */
import { viewDocumentationPage } from '../../../views/pages/documentation-page.js';
import { viewLayout, type Surroundings } from '../../../views/pages/layout.js';
import { viewLegalPage } from '../../../views/pages/legal/legal-page.js';
import {
  RECIPES_PATH,
  type PageStyle,
  type PageRequest,
  type PortalState,
  type Site,
} from '../../../views/pages/page.js';
import { viewRecipesPage } from '../../../views/pages/recipes-page.js';
import { portalParameters } from '../../../views/pages/portal/links.js';
import {
  longestWindow,
  shownComponent,
  shownWindow,
} from '../../../views/pages/portal/portal-model.js';
import { viewModal, viewPortal, type PortalView } from '../../../views/pages/portal/portal-page.js';
import { openSnapshot, type OpenSnapshot } from '../../open-snapshot.js';
import { planText } from '../../formats/text-plan.js';
import { renderTemplate } from '../../formats/templates.js';
import type { Plan } from '../../../snapshot/local/plan.js';
import type { RenderPageTask } from '../../messages.js';
import { renderChart } from './render-chart.js';
import { renderMap } from './render-map.js';
import { readLegalSource } from './legal-source.js';
import { readRecipe } from './read-recipe.js';
import { readCompared, readPortal, readStation, readStationSeries } from './read-portal.js';

type HtmlPage = Exclude<PageRequest, { readonly kind: 'map' | 'chart' }>;

/** @throws {SnapshotError} `copy_damaged`. */
export function renderPage({ location, gzip, page, site }: RenderPageTask): Plan {
  const snapshot = location && openSnapshot(location);
  if (page.kind === 'map') return planText(mapImageOf(page.style, snapshot, site), { gzip });
  if (page.kind === 'chart') return planText(renderChart(page, snapshot, site), { gzip });
  const layout = viewLayout(styleOf(page), site, surroundingsOf(page, snapshot));
  const context = { layout, page: viewPage(page, snapshot, site) };
  return planText(renderTemplate(page.kind, context), { gzip });
}

/** An empty image where no station has a position: it has to be well-formed. */
function mapImageOf(
  { theme }: PageStyle,
  snapshot: OpenSnapshot | undefined,
  { baseMap }: Site,
): string {
  const map = snapshot && renderMap(readPortal(snapshot), baseMap);
  return map?.images[theme ?? 'light'] ?? '<svg xmlns="http://www.w3.org/2000/svg"/>';
}

function viewPage(page: HtmlPage, snapshot: OpenSnapshot | undefined, site: Site): object {
  const { timeZone } = site;
  switch (page.kind) {
    case 'portal':
      return viewPortal(portalView(page, snapshot, site));
    case 'station-modal':
      return viewModal(portalView(page, snapshot, site));
    case 'legal':
      return viewLegalPage(page, {
        source: snapshot && readLegalSource(snapshot.reader),
        timeZone,
      });
    case 'documentation':
      return viewDocumentationPage(page);
    case 'recipes':
      return viewRecipesPage(page, {
        codeOf: readRecipe,
        portal: snapshot && readPortal(snapshot),
      });
  }
}

function portalView(
  { kind, state, ageHours, baseUrl }: Extract<PageRequest, { readonly state: unknown }>,
  snapshot: OpenSnapshot | undefined,
  { timeZone, baseMap }: Site,
): PortalView {
  const portal = snapshot && readPortal(snapshot);
  const { stationId } = state;
  const window = portal ? shownWindow(portal, state.window) : state.window;
  return {
    state: { ...state, window },
    ...{ ageHours, timeZone, portal, baseUrl },
    ...(snapshot && stationId !== undefined
      ? panelData(snapshot, { ...state, stationId, window })
      : { detail: undefined }),
    map: portal && kind === 'portal' ? renderMap(portal, baseMap) : undefined,
  };
}

/** What the panel of a station shows. */
function panelData(
  snapshot: OpenSnapshot,
  {
    stationId,
    componentId: chosen,
    compareId,
    window,
  }: PortalState & { readonly stationId: number },
): Pick<PortalView, 'detail' | 'compared' | 'longest'> {
  const portal = readPortal(snapshot);
  const detail = readStation(snapshot, { stationId, window });
  const component = detail && shownComponent(portal, { chosen, station: detail.station });
  if (detail === undefined || component === undefined) return { detail };
  const componentId = component.id;
  const longest = longestWindow(portal);
  return {
    detail,
    compared: readCompared(snapshot, compareId, { componentId, interval: detail.interval }),
    longest: longest && readStationSeries(snapshot, { stationId, componentId, window: longest }),
  };
}

function surroundingsOf(page: HtmlPage, snapshot: OpenSnapshot | undefined): Surroundings {
  const operator = snapshot && readPortal(snapshot).operators[0];
  switch (page.kind) {
    case 'portal':
    case 'station-modal':
      return { path: '/', parameters: portalParameters(page.state), current: 'portal', operator };
    case 'legal':
      return { path: `/legal/${page.name}`, parameters: {}, current: page.name, operator };
    case 'documentation':
      return { path: `/${page.name}`, parameters: {}, current: 'documentation', operator };
    case 'recipes':
      return { path: RECIPES_PATH, parameters: {}, current: 'documentation', operator };
  }
}

function styleOf(page: PageRequest): PageStyle {
  return 'state' in page ? page.state : page.style;
}
