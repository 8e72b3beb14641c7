/** The table of pages, and their endpoints. */
import type { Endpoint } from '../http/routing/endpoint.js';
import type { NotFoundCode } from '../http/semantics/error-answers.js';
import { CHARTS } from './chart/chart.js';
import { DAYS } from './days/days.js';
import { pageEndpoint, type Page } from './declaration.js';
import { DOCUMENTATION } from './documentation/documentation.js';
import { EPISODE, WEEK } from './episode/episode.js';
import { LEGAL } from './legal/legal.js';
import { MAP } from './map/map.js';
import { notFoundPage } from './not-found/not-found.js';
import { OVERVIEW } from './overview/overview.js';
import { PANEL, PORTAL } from './portal/portal.js';
import { RECIPES } from './recipes/recipes.js';
import { WORKBOOK } from './workbook/workbook.js';
import { YEARS } from './years/years.js';

/** All pages, in the order of the navigation and of the OpenAPI document. */
const PAGES: readonly Page[] = [
  PORTAL,
  OVERVIEW,
  EPISODE,
  PANEL,
  ...MAP,
  ...CHARTS,
  WORKBOOK,
  WEEK,
  DAYS,
  YEARS,
  ...LEGAL,
  ...DOCUMENTATION,
  RECIPES,
];

/** Links on every page. */
export const NAVIGATION = PAGES.flatMap(({ path, navigation, archived }) =>
  navigation ? [{ ...navigation, path, isArchived: archived === 'years' }] : [],
);

const endpointOf = (page: Page): Endpoint => pageEndpoint(page, NAVIGATION);

export const PAGE_ENDPOINTS = PAGES.map(endpointOf);

/** The page that answers each of these errors, at any path. */
export const NOT_FOUND_PAGES: Readonly<Record<NotFoundCode, Endpoint>> = {
  not_found: endpointOf(notFoundPage('page')),
  no_public_data: endpointOf(notFoundPage('station')),
  no_archive_resource: endpointOf(notFoundPage('archive')),
};
