/** The state of pages: language, theme and parameters; and links that keep language and theme. */
import type { Window } from '../../snapshot/domain/model.js';
import type { HourInterval } from '../../snapshot/domain/windows.js';
import type { Language } from '../../texts/texts.js';
import type { Markup } from '../html.js';

export const THEMES = ['light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

export interface PageStyle {
  readonly language: Language;
  /** Undefined: the viewer's system decides. */
  readonly theme: Theme | undefined;
}

/** State of a page: language, theme, and a station with its period. */
export interface PageState extends PageStyle {
  readonly stationId?: number | undefined;
  readonly componentId?: number | undefined;
  readonly period?: Period | undefined;
}

/** A link on every page. */
export interface NavigationItem {
  readonly places: readonly ('header' | 'footer')[];
  /** Id of the message in the layout's texts. */
  readonly label: string;
  readonly path: string;
  /** Whether the page needs an archive. */
  readonly isArchived: boolean;
}

export const STATION_SORTS = ['name', 'value', 'time'] as const;
export type StationSort = (typeof STATION_SORTS)[number];

export const EPISODE_FIGURES = ['highest', 'mean'] as const;

/** Period of a chart: a window, which moves with the snapshot, or fixed hours, at least one. */
export type Period = Window | HourInterval;

export function isFixed(period: Period): period is HourInterval {
  return typeof period !== 'string';
}

/** Series that a chart shows besides its own: its component at other stations, or other components at its station. */
export interface Comparison {
  readonly of: 'stations' | 'components';
  /** In the order of the chart: at least one, at most `COMPARED_MAX`. */
  readonly ids: readonly number[];
}

/** Largest number of further series in a chart: six lines can be distinguished. */
export const COMPARED_MAX = 5;

/** State of the portal; its ids, if any, are those of public stations and components. */
export interface PortalState extends PageStyle {
  readonly stationId: number | undefined;
  readonly componentId: number | undefined;
  readonly period: Period;
  readonly sort: StationSort;
  readonly compare: Comparison | undefined;
  /** Search text: trimmed, at most `SEARCH_LENGTH_MAX` characters; empty: all stations. */
  readonly search: string;
  /** Hour of map and list, since the epoch, UTC; undefined: the newest values. */
  readonly hour: number | undefined;
  /** Whether the map shows the wind too. */
  readonly hasWind: boolean;
}

export const SEARCH_LENGTH_MAX = 64;

export const DEFAULT_WINDOW: Window = '1d';
export const DEFAULT_SORT: StationSort = 'name';

/** Beyond this age pages say `more than a month ago`. */
export const AGE_HOURS_MAX = 31 * 24;

/** Age from which pages warn of old data: one refresh period of a daily snapshot. */
export const OLD_HOURS = 24;

export const LEGAL_PAGES = ['license', 'terms', 'qos', 'contact', 'dataset'] as const;
export type LegalPage = (typeof LEGAL_PAGES)[number];

export const DOCUMENTATION_PAGES = ['api-docs', 'docs', 'redoc'] as const;
export type DocumentationPage = (typeof DOCUMENTATION_PAGES)[number];

export const RECIPES_PATH = '/api-docs/recipes';

/** State of a chart as a picture, with ids of public stations and components. */
export interface ChartState extends PageStyle {
  readonly stationId: number;
  readonly componentId: number | undefined;
  readonly compare: Comparison | undefined;
  readonly period: Period;
  readonly width: number;
  readonly height: number;
}

/** Limits and default of a chart's size, in pixels. */
export const CHART_SIZE = { min: 100, max: 2000, width: 800, height: 400 } as const;

/** Settings of pages that are independent of the snapshot. */
export interface Site {
  readonly hasArchive: boolean;
  /** Links on every page, in order. */
  readonly navigation: readonly NavigationItem[];
  /** IANA name, such as `Europe/Belgrade`. */
  readonly timeZone: string;
  /** URLs of assets by their sources: `{'site.css': '/assets/site-3F2A.css'}`. */
  readonly assets: Readonly<Record<string, string>>;
  /** Path of the operator's GeoJSON file; undefined: the built-in map. */
  readonly baseMap: string | undefined;
  /** Contents of the request log, which the terms of use state. */
  readonly requestLog: 'none' | 'without-addresses' | 'with-addresses';
  /** Prefix of every link's path, without a slash at its end; empty at the root of a host. */
  readonly pathPrefix: string;
}

export interface PageMarkup {
  readonly title: string;
  readonly head: Markup;
  readonly main: Markup;
}

/** A link to a page or file that keeps language and theme; `more` are further parameters, in order. */
export function pageLink(
  path: string,
  { language, theme }: PageStyle,
  more: Readonly<Record<string, string | number | undefined>> = {},
): string {
  const query = new URLSearchParams({ language });
  if (theme !== undefined) query.set('theme', theme);
  for (const [name, value] of Object.entries(more)) {
    if (value !== undefined && value !== '') query.set(name, String(value));
  }
  return `${path}?${query.toString()}`;
}
