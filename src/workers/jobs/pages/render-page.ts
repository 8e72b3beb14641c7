/** Renders one page in one state: reads its data, makes the context of its template, and renders that. */
import { isDirection } from '../../../snapshot/domain/units.js';
import assert from 'node:assert';
import { viewDocumentationPage } from '../../../views/pages/documentation-page.js';
import { viewLayout, type Surroundings } from '../../../views/pages/layout.js';
import { viewLegalPage, type LegalSource } from '../../../views/pages/legal/legal-page.js';
import {
  RECIPES_PATH,
  type PageMarkup,
  type PageRequest,
  type PortalState,
  type Site,
} from '../../../views/pages/page.js';
import { viewNotFoundPage } from '../../../views/pages/not-found-page.js';
import { viewRecipesPage } from '../../../views/pages/recipes-page.js';
import { portalParameters } from '../../../views/pages/portal/links.js';
import {
  longestWindow,
  shownComponent,
  shownPeriod,
} from '../../../views/pages/portal/portal-model.js';
import type { Messages } from '../../../texts/messages.js';
import { messagesOf } from '../../../texts/texts.js';
import { escapeMarkup } from '../../../views/xml.js';
import { isMeteorological } from '../../../views/pages/portal/notation.js';
import {
  episodeParameters,
  viewEpisode,
  type EpisodeView,
} from '../../../views/pages/portal/episode-page.js';
import { placesOf } from '../../../views/pages/portal/places.js';
import { viewOverview } from '../../../views/pages/portal/overview-page.js';
import { dialogMarkup, portalMarkup } from '../../../views/pages/portal/portal-markup.js';
import { viewModal, viewPortal, type PortalView } from '../../../views/pages/portal/portal-page.js';
import { tableMarkup } from '../../../views/pages/portal/tables-markup.js';
import { yearsMarkup } from '../../../views/pages/portal/years-markup.js';
import { viewYears, yearsParameters } from '../../../views/pages/portal/years-page.js';
import { openSnapshot, type OpenSnapshot } from '../../open-snapshot.js';
import { planText } from '../../formats/answers.js';
import { renderTemplate } from '../../formats/templates.js';
import type { Plan } from '../../../snapshot/local/plan.js';
import type { RenderPageTask } from '../../messages.js';
import { renderChart } from './render-chart.js';
import { renderDays, renderWeek } from './render-days.js';
import { renderMap } from './render-map.js';
import { readRecipe } from './read-recipe.js';
import {
  readCompared,
  readMeasuring,
  readPortal,
  readStation,
  readStationSeries,
} from './read-portal.js';

type ValuePage = Extract<
  PageRequest,
  { readonly kind: 'portal' | 'station-modal' | 'overview' | 'episode' | 'years' }
>;
type ProsePage = Extract<
  PageRequest,
  { readonly kind: 'not-found' | 'legal' | 'documentation' | 'recipes' }
>;

/** Where there is nothing to draw: an image has to be well-formed. */
const NO_IMAGE = '<svg xmlns="http://www.w3.org/2000/svg"/>';

/** @throws {SnapshotError} `copy_damaged`. */
export function renderPage({ location, gzip, page, site }: RenderPageTask): Plan {
  const snapshot = location && openSnapshot(location);
  if (page.kind === 'map' || page.kind === 'towns') {
    const map = snapshot && renderMap(readPortal(snapshot), site.baseMap);
    const { language, theme = 'light' } = page.style;
    const towns = (): string => JSON.stringify(placesOf(map?.towns ?? [], language));
    const plan = planText(page.kind === 'map' ? (map?.images[theme] ?? NO_IMAGE) : towns(), {
      gzip,
    });
    return map === undefined ? plan : { ...plan, digest: map.version };
  }
  if (page.kind === 'chart') {
    return planText((snapshot && renderChart(page, snapshot, site)) ?? NO_IMAGE, { gzip });
  }
  if (page.kind === 'days') {
    return planText(snapshot ? renderDays(page, snapshot, site) : '', { gzip });
  }
  if (page.kind === 'week') {
    return planText(snapshot ? renderWeek(page, snapshot, site) : '', { gzip });
  }
  assert(page.kind !== 'workbook', 'a workbook is no page');
  return planText(below(site.pathPrefix, htmlOf(page, { snapshot, site })), { gzip });
}

/** A path at the beginning of a link, or of the line that says what a program asks for. */
const LINKED_PATH =
  /(?<=\s(?:href|src|srcset|action|data-description|data-towns)="|<code>GET )\/(?!\/)/g;

/**
 * The page with a path before that of each link. Templates and views have every path as the service itself knows it, and
 * escape every value, so that nothing else in a page looks like these.
 */
function below(pathPrefix: string, html: string): string {
  return pathPrefix === ''
    ? html
    : html.replaceAll(LINKED_PATH, () => `${escapeMarkup(pathPrefix)}/`);
}

interface Source {
  readonly snapshot: OpenSnapshot | undefined;
  readonly site: Site;
}

function htmlOf(page: ValuePage | ProsePage, source: Source): string {
  if (page.kind === 'station-modal') {
    return `${dialogMarkup(viewModal(portalView(page, source)).panel, textsOf(page)).text}\n`;
  }
  const style = 'state' in page ? page.state : page.style;
  const layout = viewLayout(style, source.site, surroundingsOf(page, source.snapshot));
  switch (page.kind) {
    case 'not-found':
    case 'legal':
    case 'documentation':
    case 'recipes':
      return renderTemplate(page.kind, { layout, page: viewProse(page, source) });
    default:
      return renderTemplate('page', { layout, page: markupOf(page, layout, source) });
  }
}

function textsOf(page: ValuePage): Messages {
  return messagesOf('state' in page ? page.state.language : page.style.language, 'portal');
}

function markupOf(
  page: ValuePage,
  layout: ReturnType<typeof viewLayout>,
  { snapshot, site }: Source,
): PageMarkup {
  const texts = textsOf(page);
  const portal = snapshot && readPortal(snapshot);
  const { timeZone } = site;
  switch (page.kind) {
    case 'overview':
      return tableMarkup(viewOverview({ ...page, timeZone, portal }), layout, texts);
    case 'episode': {
      const read: EpisodeView['read'] = (componentId, interval) =>
        snapshot === undefined || portal === undefined
          ? []
          : readMeasuring(snapshot, portal.stations, { componentId, interval });
      const view = { ageHours: page.ageHours, state: page.style, timeZone, portal, read };
      return tableMarkup(viewEpisode(view), layout, texts);
    }
    case 'years':
      return yearsMarkup(viewYears(page, portal), layout, texts);
    default:
      return portalMarkup(viewPortal(portalView(page, { snapshot, site })), layout, texts);
  }
}

function viewProse(page: ProsePage, { snapshot, site }: Source): object {
  switch (page.kind) {
    case 'not-found':
      return viewNotFoundPage(page);
    case 'legal':
      return viewLegalPage(page, {
        source: snapshot && legalSource(snapshot),
        site,
      });
    case 'documentation':
      return viewDocumentationPage(page);
    case 'recipes':
      return viewRecipesPage(page, {
        codeOf: readRecipe,
        portal: snapshot && readPortal(snapshot),
        timeZone: site.timeZone,
      });
  }
}

function portalView(
  { kind, state, ageHours, baseUrl }: Extract<PageRequest, { readonly state: unknown }>,
  { snapshot, site: { timeZone, baseMap, hasArchive } }: Source,
): PortalView {
  const portal = snapshot && readPortal(snapshot);
  const { stationId } = state;
  const period = portal ? shownPeriod(portal, state.period) : state.period;
  return {
    state: { ...state, period },
    ageHours,
    timeZone,
    portal,
    baseUrl,
    hasYears: hasArchive,
    ...(snapshot && stationId !== undefined
      ? panelData(snapshot, { ...state, stationId, period })
      : { detail: undefined }),
    map: portal && kind === 'portal' ? renderMap(portal, baseMap) : undefined,
  };
}

/** What the panel of a station shows. */
function panelData(
  snapshot: OpenSnapshot,
  { stationId, componentId: chosen, compare, period }: PortalState & { readonly stationId: number },
): Pick<PortalView, 'detail' | 'compared' | 'longest' | 'wind'> {
  const portal = readPortal(snapshot);
  const detail = readStation(snapshot, { stationId, period });
  const component = detail && shownComponent(portal, { chosen, station: detail.station });
  if (detail === undefined || component === undefined) return { detail };
  const componentId = component.id;
  const longest = longestWindow(portal);
  const wind = detail.series.map((series) => series.component).find(isDirection);
  return {
    detail,
    compared: compare && readCompared(snapshot, compare, { ...detail, component }),
    longest: longest && readStationSeries(snapshot, { stationId, componentId, period: longest }),
    wind:
      longest &&
      wind &&
      readStationSeries(snapshot, { stationId, componentId: wind.id, period: longest }),
  };
}

function surroundingsOf(
  page: ValuePage | ProsePage,
  snapshot: OpenSnapshot | undefined,
): Surroundings {
  const operator = snapshot && readPortal(snapshot).operators[0];
  const common = { parameters: {}, current: undefined, operator };
  switch (page.kind) {
    case 'portal':
    case 'station-modal':
      return { ...common, path: '/', parameters: portalParameters(page.state), current: 'portal' };
    case 'overview':
      return {
        ...common,
        path: '/overview',
        parameters: { sort: page.sortId },
        current: 'overview',
      };
    case 'episode':
      return {
        ...common,
        path: '/episode',
        parameters: episodeParameters(page.style),
        current: 'episode',
      };
    case 'years':
      return {
        ...common,
        path: '/years',
        parameters: yearsParameters(page.style),
        current: 'years',
      };
    case 'not-found':
      return { ...common, path: '' };
    case 'legal':
      return { ...common, path: `/legal/${page.name}`, current: page.name };
    case 'documentation':
      return { ...common, path: `/${page.name}`, current: 'documentation' };
    case 'recipes':
      return { ...common, path: RECIPES_PATH, current: 'documentation' };
  }
}

/** What legal pages show of a snapshot. */
function legalSource(snapshot: OpenSnapshot): LegalSource {
  const { reader } = snapshot;
  return {
    header: reader.header,
    publisher: reader.record('publisher') ?? undefined,
    hasWeather: readPortal(snapshot).components.some(isMeteorological),
    files: reader.record('bundle'),
  };
}
