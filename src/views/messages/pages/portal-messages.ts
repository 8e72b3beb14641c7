/** Types of the portal's messages. */
import type { StationType, Window } from '../../../snapshot/domain/model.js';
import type { StationSort } from '../../pages/page.js';

/** Names of a component; it has a `label` where its code says nothing to most people. */
export interface ComponentTexts {
  readonly label?: string;
  readonly description: string;
}

export interface PortalTexts {
  readonly title: string;
  readonly description: string;
  /** Heading of the page for one component. */
  readonly heading: (component: string) => string;
  readonly unavailable: string;
  readonly unavailableMore: string;
  readonly noStations: string;
  /** Label of the end of the newest hour; `published` precedes the age of the snapshot. */
  readonly measuredUntil: string;
  readonly published: string;
  readonly justNow: string;
  readonly monthAgo: string;
  readonly old: (age: string) => string;
  /** Of a snapshot of a past time that only shows the service. */
  readonly demonstration: (period: string) => string;
  readonly preliminary: string;
  readonly hourly: string;
  readonly zone: (zone: string) => string;
  readonly components: Readonly<Record<string, ComponentTexts>>;
  readonly pickComponent: string;
  readonly pickWindow: string;
  readonly windows: Readonly<Record<Window, string>>;
  readonly highest: string;
  readonly median: string;
  readonly lowest: string;
  readonly mean: string;
  /** Precedes the start of the hour whose values are compared; then how many of the measuring stations have one. */
  readonly newestHour: string;
  readonly compared: (count: string, all: string) => string;
  /** Of a station whose newest value is of an older hour. */
  readonly late: string;
  readonly lateMeaning: string;
  /** Of an arrow in the map of wind directions. */
  readonly windMeaning: string;
  readonly map: string;
  readonly skipMap: string;
  readonly zoomIn: string;
  readonly zoomOut: string;
  readonly zoomReset: string;
  readonly noPositions: string;
  readonly noValue: string;
  readonly legend: string;
  readonly mapCredit: string;
  /** Where there are too many stations for one page. */
  readonly mapLimited: (shown: string, all: string) => string;
  readonly listLimited: (shown: string) => string;
  readonly stations: string;
  readonly search: string;
  readonly searchHint: string;
  readonly find: string;
  readonly clear: string;
  readonly found: (shown: string, all: string) => string;
  readonly nothingFound: string;
  readonly sortBy: string;
  readonly sorts: Readonly<Record<StationSort, string>>;
  readonly columns: Readonly<Record<'station' | 'municipality' | 'value' | 'time', string>>;
  readonly stationTypes: Readonly<Record<StationType, string>>;
  readonly inactive: string;
  readonly close: string;
  readonly allComponents: string;
  readonly chartLabel: (component: string, station: string, window: string) => string;
  readonly chartHelp: string;
  readonly noPoints: string;
  readonly noComponents: string;
  readonly gaps: (missing: string, hours: string) => string;
  readonly table: string;
  readonly tableTime: string;
  readonly download: string;
  readonly downloadLabel: (format: string, window: string) => string;
  readonly apiCall: string;
  readonly copy: string;
  readonly copied: string;
  /** Points of the compass from north, clockwise by 45 degrees. */
  readonly compass: readonly [
    ...[string, string, string, string],
    ...[string, string, string, string],
  ];
  /** Where the wind came from most often. */
  readonly prevailing: string;
  readonly prevailingShare: (point: string, percent: string) => string;
  readonly compareWith: string;
  readonly compareNone: string;
  readonly compare: string;
  readonly compareEnd: string;
  readonly calendar: (window: string) => string;
  readonly calendarCaption: (zone: string) => string;
  readonly calendarDay: string;
  readonly calendarGap: string;
  /** Where the values are not written into the cells. */
  readonly calendarHint: string;
  readonly share: string;
  readonly sharePage: string;
  readonly shareImage: string;
  readonly copyText: string;
  readonly downloadPicture: string;
  /** Until when the period of a picture lasts, and in which zone that is. */
  readonly picturePeriod: (window: string, until: string, zone: string) => string;
  /** How a picture names its source (the licence page, attribution). */
  readonly pictureCredit: (operator: string, snapshot: string) => string;
}
