/** How a page is wanted, and the links that keep it so. */
import type { Language, Window } from '../../snapshot/domain/model.js';

export const THEMES = ['light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

export interface PageStyle {
  readonly language: Language;
  /** Undefined: as the viewer's system prefers. */
  readonly theme: Theme | undefined;
}

/** What the table of stations is ordered by. */
export const STATION_SORTS = ['name', 'municipality', 'value', 'time'] as const;
export type StationSort = (typeof STATION_SORTS)[number];

/** What the portal shows. Ids are those of public stations and components, or undefined. */
export interface PortalState extends PageStyle {
  readonly stationId: number | undefined;
  readonly componentId: number | undefined;
  readonly window: Window;
  readonly sort: StationSort;
  /** Trimmed, at most `SEARCH_LENGTH_MAX` characters; empty: all stations. */
  readonly search: string;
}

export const SEARCH_LENGTH_MAX = 64;

export const DEFAULT_WINDOW: Window = '1d';
export const DEFAULT_SORT: StationSort = 'name';

/** Ages of snapshots beyond this one are not told apart: pages say `more than a month ago`. */
export const AGE_HOURS_MAX = 31 * 24;

export const LEGAL_PAGES = ['license', 'terms', 'qos', 'contact', 'dataset'] as const;
export type LegalPage = (typeof LEGAL_PAGES)[number];

export const DOCUMENTATION_PAGES = ['api-docs', 'docs', 'redoc'] as const;
export type DocumentationPage = (typeof DOCUMENTATION_PAGES)[number];

/** One page in one state: all that its bytes depend on beside the snapshot and this build of the service. */
export type PageWish =
  | {
      readonly kind: 'portal' | 'station-modal';
      readonly state: PortalState;
      /** Whole hours since the snapshot was made, at least 0; 0 without a snapshot. */
      readonly ageHours: number;
    }
  /** The drawing under the stations: an image, of one theme. */
  | { readonly kind: 'map'; readonly style: PageStyle }
  | { readonly kind: 'legal'; readonly name: LegalPage; readonly style: PageStyle }
  | { readonly kind: 'documentation'; readonly name: DocumentationPage; readonly style: PageStyle };

/** Where pages find what does not come from the snapshot. */
export interface Site {
  /** IANA name of the zone that times are shown in, for example `Europe/Belgrade`. */
  readonly timeZone: string;
  /** URLs of the assets by the name of their source: `{'site.css': '/assets/site-3F2A.css'}`. */
  readonly assets: Readonly<Record<string, string>>;
  /** A GeoJSON file of the operator's; undefined: the map that comes with the service. */
  readonly baseMap: string | undefined;
}

/** A link to a page or a file of this service that keeps language and theme; `more` in the order given. */
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
