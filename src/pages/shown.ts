/** Parameters of pages, reduced to known ids and hours, which bounds the number of states; no value is refused. */
import { WINDOWS } from '../snapshot/domain/model.js';
import { retainedHours, type HourInterval } from '../snapshot/domain/windows.js';
import { LANGUAGES } from '../texts/texts.js';
import {
  COMPARED_MAX,
  DEFAULT_WINDOW,
  THEMES,
  type Comparison,
  type PageStyle,
  type Period,
} from '../views/pages/page.js';
import type { RequestContext } from '../http/routing/endpoint.js';
import { anyComparison, anyHour, anyId, anyOf } from '../http/routing/lenient-parameters.js';
import type { Values } from '../http/routing/parameter.js';

/** Unknown languages and themes count as absent. */
export const lenientStyle = {
  language: anyOf(LANGUAGES),
  theme: anyOf(THEMES),
};

export const seriesIds = {
  station_id: anyId(28005002),
  component_id: anyId(8),
};

/** Series with which a chart compares its own. */
export const anyCompared = anyComparison(['28006004']);

/** Language and theme; the default language is the client's on negotiated pages, else the operator's. */
export function pageStyle(
  { language, theme }: Partial<Values<typeof lenientStyle>>,
  { state, language: preferred }: RequestContext,
): PageStyle {
  return { language: language ?? preferred ?? state.pages.defaultLanguage, theme };
}

/** Hours after the snapshot that a link may name: a whole local day that has just begun has up to 25 hours. */
const AFTER = 25;

export const fixedPeriod = {
  from: anyHour('2026-02-04T23:00Z'),
  to: anyHour('2026-02-05T23:00Z'),
};

export const anyPeriod = {
  window: anyOf(WINDOWS, '1d'),
  ...fixedPeriod,
};

type Hours = Readonly<Record<'from' | 'to', number | undefined>>;

/** The requested hours, moved next to the snapshot if they are far from it; undefined if missing or invalid. */
export function fixedHours({ from, to }: Hours, context: RequestContext, keepsOlder = false) {
  const held = heldHours(context);
  if (from === undefined || to === undefined || from >= to || held === undefined) return undefined;
  if (!isAmong(held, from) || !isAmong(held, to)) return undefined;
  return {
    from: within(from, keepsOlder ? from : held.from - 2, held.to + AFTER),
    to: within(to, keepsOlder ? to : held.from - 1, held.to + AFTER + 1),
  };
}

export function shownPeriod(
  { window = DEFAULT_WINDOW, ...hours }: Hours & { readonly window: Period | undefined },
  context: RequestContext,
): Period {
  return fixedHours(hours, context, typeof context.state.archive === 'object') ?? window;
}

export function shownHour(hour: number | undefined, context: RequestContext): number | undefined {
  const held = heldHours(context);
  return hour === undefined || held === undefined || !isAmong(held, hour)
    ? undefined
    : within(hour, held.from - 1, held.to);
}

/** Whether a time is the start of an hour of the snapshot, or of one before or after its hours. */
function isAmong({ from }: HourInterval, hour: number): boolean {
  return Number.isInteger(hour - from);
}

function heldHours({ state: { served } }: RequestContext): HourInterval | undefined {
  return served && retainedHours(served.snapshot.reader.header);
}

function within(hour: number, least: number, most: number): number {
  return Math.min(Math.max(hour, least), most);
}

/** The known stations and components of a request; no series is compared with itself, or twice. */
export function shownSeries(
  ids: Readonly<Partial<Record<'station_id' | 'component_id', number | undefined>>> & {
    readonly compare?: Comparison | undefined;
  },
  { state: { served } }: RequestContext,
) {
  const known = (id: number | undefined, among: ReadonlySet<number> | undefined) =>
    id !== undefined && among?.has(id) === true ? id : undefined;
  const stationId = known(ids.station_id, served?.stations);
  const componentId = known(ids.component_id, served?.components);
  const { of = 'stations', ids: named = [] } = ids.compare ?? {};
  const own = of === 'stations' ? stationId : componentId;
  const compared = [...new Set(named)]
    .filter((id) => id !== own && served?.[of].has(id) === true)
    .slice(0, COMPARED_MAX);
  const isCompared = stationId !== undefined && compared.length > 0;
  return {
    stationId,
    componentId,
    compare: isCompared ? { of, ids: compared } : undefined,
    /** Whether the requested component is unknown: a file of another component would be wrong. */
    isUnknown: ids.component_id !== undefined && componentId === undefined,
  };
}
