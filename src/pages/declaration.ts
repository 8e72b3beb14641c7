/** The declaration of a page, from which its endpoint, cache key, entity tag and job follow. */
import { monthOf } from '../snapshot/domain/days.js';
import { HOUR_MS, retainedHours, utcDateTime } from '../snapshot/domain/windows.js';
import { DAY_HOURS } from '../snapshot/domain/zone-clock.js';
import {
  isFixed,
  OLD_HOURS,
  type NavigationItem,
  type PageState,
  type Period,
} from '../views/pages/page.js';
import type { DailyFiles, PageJob, RenderPageTask } from '../workers/messages.js';
import type { ArchiveFiles } from '../http/answers/archive-files.js';
import { ageHours } from '../http/answers/front-state.js';
import {
  endpoint,
  linkVariation,
  refuse,
  type RequestContext,
  type Endpoint,
  type Source,
} from '../http/routing/endpoint.js';
import { text } from '../http/openapi/operation.js';
import type { Parameters, Refusal, Values } from '../http/routing/parameter.js';
import type { ErrorCode } from '../http/semantics/error-answers.js';
import type { HeaderField } from '../http/semantics/header-block.js';

/** The content security policy of pages: they load from this service and send to it only, without frames. */
export const POLICY: Policy = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self' data:",
  'font-src': "'self'",
  'connect-src': "'self'",
  'form-action': "'self'",
  'base-uri': "'none'",
  'frame-ancestors': "'none'",
};

/** Longest period that is drawn from the archive. */
const OLDER_HOURS_MAX = 31 * DAY_HOURS;

export type Policy = Readonly<Record<string, string>>;

interface PageDeclaration<P extends Parameters, S extends PageState> {
  readonly path: `/${string}`;
  readonly parameters: P;
  /** The state of a request. Otherwise the bytes depend only on snapshot, build, settings and declared inputs. */
  state(values: Values<P>, context: RequestContext): S | Refusal;
  /** Path in this folder of the module that is a `View`, without its extension. */
  readonly view: `${string}-view`;
  /** The job that renders the page; default: `render-page`. */
  readonly job?: PageJob;
  readonly contentType?: string;
  /** Whether the bytes are compressed already; default: false. */
  readonly isCompressed?: boolean;
  /** Whether to suggest a file name, for display or download; default: no. */
  readonly file?: 'inline' | 'attachment';
  /** The link to this page on every page; `label` names the message of its text. Default: no link. */
  readonly navigation?: Omit<NavigationItem, 'path' | 'isArchived'>;
  /** Path of the page that the navigation marks as current; default: this page. */
  readonly section?: string;
  /** Undefined for pages outside of the API. */
  readonly operationId?: string;
  /** Content security policy; default: `POLICY`. */
  readonly policy?: Policy;
  /** Further header fields. */
  readonly more?: readonly HeaderField[];
  /** Whether the page shows the snapshot's age in hours, or only that it reaches `OLD_HOURS`; default: neither. */
  readonly ages?: 'hours' | 'old';
  /** Whether the page shows years of the archive, or hours of its period that have left the snapshot; default: neither. */
  readonly archived?: 'years' | 'hours';
  /** Whether the page has absolute links in a state; default: false. */
  isLinking?(state: S): boolean;
  /** Whether an address without a query is in the client's language; default: in the operator's. */
  readonly isNegotiated?: boolean;
  /** The digest of the bytes that the address contains, if any. */
  digest?(values: Values<P>): string | undefined;
  readonly refusals?: readonly ErrorCode[];
  /** Whether browsers get `no_public_data` as an HTML page; default: false, JSON for all clients. */
  readonly hasNotFoundPage?: boolean;
  /** Status of a page for missing content; default: 200. */
  readonly status?: 404;
}

export type Page = PageDeclaration<Parameters, PageState>;

/** Checks that the functions of a declaration take its own values and state. */
export function page<P extends Parameters, S extends PageState>(
  declaration: PageDeclaration<P, S>,
): Page {
  return declaration;
}

const HTML_TYPE = 'text/html; charset=utf-8';

/** Header fields of a page. */
export function pageFields(contentType = HTML_TYPE, policy = POLICY): readonly HeaderField[] {
  const directives = Object.entries(policy).map(([name, sources]) => `${name} ${sources}`);
  return [
    ['Content-Type', contentType],
    ['Content-Security-Policy', directives.join('; ')],
    ['Referrer-Policy', 'strict-origin-when-cross-origin'],
    ['X-Frame-Options', 'DENY'],
    ['Cross-Origin-Opener-Policy', 'same-origin'],
    ['Permissions-Policy', 'camera=(), geolocation=(self), microphone=()'],
  ];
}

/** @param navigation the links on every page. */
export function pageEndpoint(declared: Page, navigation: readonly NavigationItem[]): Endpoint {
  const { path, parameters, operationId, refusals = [], hasNotFoundPage = false } = declared;
  const { contentType = HTML_TYPE, isCompressed = false, file } = declared;
  const { policy = POLICY, ages, archived, isNegotiated = false } = declared;
  const [mediaType = ''] = contentType.split(';');
  const fields = [...pageFields(contentType, policy), ...(declared.more ?? [])];
  return endpoint({
    path,
    parameters,
    caching: 'document',
    dependsOn: [
      ...(ages === undefined ? [] : (['age'] as const)),
      archived ? 'archive' : 'has-archive',
      ...(declared.isLinking ? (['base-url'] as const) : []),
      ...(isNegotiated ? (['language'] as const) : []),
    ],
    hasNotFoundPage,
    ...(operationId !== undefined && {
      operation: {
        id: operationId,
        tag: 'Pages',
        content: [isCompressed ? { mediaType } : text(mediaType)],
        ...(file !== undefined && { headers: ['Content-Disposition'] }),
        refusals: [...refusals, 'busy'],
      },
    }),
    resolve(values, context) {
      const state = declared.state(values, context);
      if (isRefusal(state)) return state;
      const of = archived && (archived === 'years' ? yearsOf(context) : hoursOf(context, state));
      if (of === 'unavailable') return refuse('archive_unavailable');
      const own = file === undefined ? fields : [...fields, disposition(state, path, file)];
      return {
        ...rendered(declared, state, { fields: own, context, of, navigation }),
        digest: declared.digest?.(values),
      };
    },
  });
}

function isRefusal(state: PageState | Refusal): state is Refusal {
  return 'kind' in state;
}

interface OfArchive {
  readonly archive: ArchiveFiles;
  readonly daily: DailyFiles;
}

/** Files of days and months; undefined without an archive. */
function yearsOf({ state: { archive } }: RequestContext): OfArchive | 'unavailable' | undefined {
  if (typeof archive !== 'object') return undefined;
  const [daily, monthly] = [archive.periods('daily'), archive.periods('monthly')];
  if (daily === undefined || monthly === undefined) return 'unavailable';
  return { archive, daily: { ...daily, files: [...daily.files, ...monthly.files] } };
}

interface Rendering {
  readonly fields: readonly HeaderField[];
  readonly context: RequestContext;
  readonly of: OfArchive | undefined;
  readonly navigation: readonly NavigationItem[];
}

/** Files of those hours of a period that have left the snapshot. */
function hoursOf({ state: { archive, served } }: RequestContext, { period = '1d' }: PageState) {
  if (typeof archive !== 'object' || served === undefined || !isFixed(period)) return undefined;
  const { from: end } = retainedHours(served.snapshot.reader.header);
  const { from, to } = period;
  if (from >= end || to - from > OLDER_HOURS_MAX) return undefined;
  const [first, last] = [monthOf(from / DAY_HOURS), monthOf((Math.min(to, end) - 1) / DAY_HOURS)];
  const daily = archive.periods('observations', first, last);
  return daily === undefined ? 'unavailable' : { archive, daily };
}

function rendered(
  { path, view, section = path, job = 'render-page', ages, status, ...declared }: Page,
  state: PageState,
  { fields, context, of, navigation }: Rendering,
): Extract<Source, { kind: 'document' }> {
  const { digest, site } = context.state.pages;
  const hasArchive = typeof context.state.archive === 'object';
  const age = ages === undefined ? 0 : ageHours(context.state);
  const isOld = age >= OLD_HOURS;
  const shownAge = ages === 'old' ? Number(isOld) : age;
  const made = `${digest}-${shownAge}${hasArchive ? '-years' : ''}${of?.archive.digest ?? ''}`;
  const isNegotiated = context.language !== undefined;
  const variant = isNegotiated ? `${made}-${state.language}` : made;
  // Without absolute links a page is the same for every host.
  const baseUrl = declared.isLinking?.(state) === true ? context.baseUrl : undefined;
  const linked =
    baseUrl === undefined ? { variant } : linkVariation(context.state, { baseUrl, variant });
  const task: Omit<RenderPageTask, 'location' | 'gzip'> = {
    view,
    state,
    path: status === 404 ? '' : path,
    section,
    ageHours: ages === 'old' ? Number(isOld) * OLD_HOURS : age,
    baseUrl,
    site: { ...site, hasArchive, navigation },
    daily: of?.daily,
  };
  return {
    kind: 'document',
    job: { kind: of && job !== 'render-png' ? 'render-years' : job, task },
    key: JSON.stringify([path, state, shownAge, baseUrl, hasArchive, of?.archive.digest]),
    fields: [...fields, ['Content-Language', state.language]],
    ...linked,
    variesBy: [
      ...(linked.variesBy ?? []),
      ...(isNegotiated ? ['Accept-Language'] : []),
      ...(status === 404 ? ['Accept'] : []),
    ],
    ...(status !== undefined && { status }),
    precompressed: declared.isCompressed === true,
    ...(of && {
      onFailure: (error: unknown) => {
        of.archive.onFailure(error, of.daily);
      },
    }),
  };
}

/** A suggested file name (RFC 6266 §4.3), such as `chart-28005002-8-7d.svg`. */
function disposition(
  { stationId, componentId, period }: PageState,
  path: string,
  type: NonNullable<Page['file']>,
): HeaderField {
  const [name = '', extension = ''] = path.slice(path.lastIndexOf('/') + 1).split('.');
  const parts = [name, stationId, componentId, period && periodText(period)].filter(
    (part) => part !== undefined,
  );
  return ['Content-Disposition', `${type}; filename="${parts.join('-')}.${extension}"`];
}

/** A window's name, or the first hour and the end, UTC: `2026-02-04T23-2026-02-05T23`. */
function periodText(period: Period): string {
  if (!isFixed(period)) return period;
  const text = (hour: number): string => utcDateTime(hour * HOUR_MS).slice(0, 13);
  return `${text(period.from)}-${text(period.to)}`;
}
