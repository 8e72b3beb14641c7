/** The state of a page: kind, language, theme and parameters; and links that keep them. */
import type { Window } from '../../snapshot/domain/model.js';
import type { HourInterval } from '../../snapshot/domain/windows.js';
import type { Language } from '../../texts/texts.js';
import type { Markup } from '../html.js';

export const THEMES = ['light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

export interface PageStyle {
  readonly language: Language;
  /** Undefined where the viewer's system decides. */
  readonly theme: Theme | undefined;
}

/** State of a page: language and theme, and, for a station, which one over which time, as its file's name says. */
export interface PageState extends PageStyle {
  readonly stationId?: number | undefined;
  readonly componentId?: number | undefined;
  readonly period?: Period | undefined;
}

/** A page that every page leads to. */
export interface NavigationItem {
  readonly places: readonly ('header' | 'footer')[];
  /** Message of the layout. */
  readonly label: string;
  readonly path: string;
  /** Whether there is no such page without an archive. */
  readonly isArchived: boolean;
}

/** Orders of the table of stations. */
export const STATION_SORTS = ['name', 'value', 'time'] as const;
export type StationSort = (typeof STATION_SORTS)[number];

/** Figures of each day in the table of a week. */
export const EPISODE_FIGURES = ['highest', 'mean'] as const;

/** Period of a chart: a window, which moves on with every snapshot, or fixed hours, at least one. */
export type Period = Window | HourInterval;

export function isFixed(period: Period): period is HourInterval {
  return typeof period !== 'string';
}

/** The comparison of a station's chart: its component at other stations, or other components there. */
export interface Comparison {
  readonly of: 'stations' | 'components';
  /** In the order of the chart: at least one, at most `COMPARED_MAX`. */
  readonly ids: readonly number[];
}

/** Six lines in one chart can be told apart. */
export const COMPARED_MAX = 5;

/** State of the portal. Ids are those of public stations and components, or undefined. */
export interface PortalState extends PageStyle {
  readonly stationId: number | undefined;
  readonly componentId: number | undefined;
  readonly period: Period;
  readonly sort: StationSort;
  readonly compare: Comparison | undefined;
  /** Trimmed, at most `SEARCH_LENGTH_MAX` characters; empty: all stations. */
  readonly search: string;
  /** Shown on the map and in the list, counted since the epoch, UTC; undefined: the newest values. */
  readonly hour: number | undefined;
  /** Whether the map of another component shows the wind too. */
  readonly hasWind: boolean;
}

export const SEARCH_LENGTH_MAX = 64;

export const DEFAULT_WINDOW: Window = '1d';
export const DEFAULT_SORT: StationSort = 'name';

/** Ages of snapshots beyond this one are not told apart: pages say `more than a month ago`. */
export const AGE_HOURS_MAX = 31 * 24;

/** Age from which pages warn that data are old: one refresh period of a daily snapshot. */
export const OLD_HOURS = 24;

export const LEGAL_PAGES = ['license', 'terms', 'qos', 'contact', 'dataset'] as const;
export type LegalPage = (typeof LEGAL_PAGES)[number];

export const DOCUMENTATION_PAGES = ['api-docs', 'docs', 'redoc'] as const;
export type DocumentationPage = (typeof DOCUMENTATION_PAGES)[number];

/** Path of the page of recipes. */
export const RECIPES_PATH = '/api-docs/recipes';

/** The chart of a station as a picture. Ids are those of public stations and components. */
export interface ChartState extends PageStyle {
  readonly stationId: number;
  readonly componentId: number | undefined;
  readonly compare: Comparison | undefined;
  readonly period: Period;
  /** In pixels. */
  readonly width: number;
  readonly height: number;
}

/** Sizes of a chart in pixels. */
export const CHART_SIZE = { min: 100, max: 2000, width: 800, height: 400 } as const;

/** Settings of pages that do not come from the snapshot, and whether there is an archive. */
export interface Site {
  /** Whether the service has an archive, to which pages then lead. */
  readonly hasArchive: boolean;
  /** Pages that every page leads to, in their order. */
  readonly navigation: readonly NavigationItem[];
  /** IANA name of the time zone that times are shown in, for example `Europe/Belgrade`. */
  readonly timeZone: string;
  /** URLs of assets by the name of their source: `{'site.css': '/assets/site-3F2A.css'}`. */
  readonly assets: Readonly<Record<string, string>>;
  /** Path of the operator's GeoJSON file; undefined where the built-in map is used. */
  readonly baseMap: string | undefined;
  /** Facts that are recorded of requests, as the terms of use state. */
  readonly requestLog: 'none' | 'without-addresses' | 'with-addresses';
  /** Stands before the path of every link, without a slash at its end; empty where the service is the root of its host. */
  readonly pathPrefix: string;
}

/** A page within the layout of all pages. */
export interface PageMarkup {
  readonly title: string;
  readonly head: Markup;
  readonly main: Markup;
}

/** A link to a page or a file of this service that keeps language and theme; `more` are further parameters, in their order. */
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
