/** What all pages have in common as endpoints: what they may load, their header fields, and the job that renders them. */
import { LANGUAGES } from '../../../texts/texts.js';
import { HOUR_MS, utcDateTime } from '../../../snapshot/domain/windows.js';
import {
  isFixed,
  THEMES,
  type PageRequest,
  type PageStyle,
  type Period,
} from '../../../views/pages/page.js';
import type { DailyFiles, PageJob } from '../../../workers/messages.js';
import type { ArchiveFiles } from '../../answers/archive-files.js';
import {
  endpoint,
  linkVariation,
  refuse,
  type Context,
  type Endpoint,
  type Source,
} from '../../routing/endpoint.js';
import { text } from '../../openapi/operation.js';
import { anyOf } from '../../routing/lenient-parameters.js';
import type { Parameters, Refusal, Values } from '../../routing/parameters.js';
import type { ErrorCode } from '../../semantics/error-answers.js';
import type { HeaderField } from '../../semantics/header-block.js';

/** Pages that never refuse a value: an unknown one counts as none. */
export const lenientStyle = {
  language: anyOf(LANGUAGES),
  theme: anyOf(THEMES),
};

/** What a page may load and where it may send: itself, and nobody else; neither may it be framed. */
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

export type Policy = Readonly<Record<string, string>>;

/** Those whose bytes are no text, and compressed inside. */
const COMPRESSED: readonly PageJob[] = ['render-png', 'render-workbook'];

interface PageDeclaration<P extends Parameters> {
  readonly path: `/${string}`;
  readonly parameters: P;
  /** Undefined: it is no part of the API. */
  readonly operationId?: string;
  /** Default: that of all pages. */
  readonly policy?: Policy;
  /** Default: HTML. */
  readonly contentType?: string;
  /** What renders it; default: `render-page`. */
  readonly job?: PageJob;
  /** Header fields beside those of all pages. */
  readonly more?: readonly HeaderField[];
  /** Whether the answer suggests a file name, with the ending of the path; default: it does not. */
  readonly isFile?: boolean;
  /** Whether the same target means another page when the snapshot is an hour older; default: it does not. */
  readonly isAging?: boolean;
  /** Whether it shows the archive's values; default: it leads to the archive at most. */
  readonly isArchived?: boolean;
  /** Whether it has absolute links; default: none. */
  readonly isLinking?: boolean;
  /** Whether it is in the language that the client prefers where the address has no query; default: in the operator's. */
  readonly isNegotiated?: boolean;
  /** The digest of its bytes that the address has, if it has one. */
  readonly digest?: (values: Values<P>) => string | undefined;
  /** Default: it is never refused. */
  readonly refusals?: readonly ErrorCode[];
  /** Whether its `no_public_data` is a page for who prefers HTML; default: it is JSON for everybody. */
  readonly hasNotFoundPage?: boolean;
  /** What is to be shown: all that the page's bytes depend on beside snapshot, build and settings. */
  readonly view: (values: Values<P>, context: Context) => PageRequest | Refusal;
}

/** An endpoint whose answers a worker renders. */
export function page<P extends Parameters>({
  path,
  parameters,
  operationId,
  policy = POLICY,
  contentType = 'text/html; charset=utf-8',
  job = 'render-page',
  more = [],
  isFile = false,
  isAging = false,
  isArchived = false,
  isLinking = false,
  isNegotiated = false,
  digest,
  refusals = [],
  hasNotFoundPage = false,
  view,
}: PageDeclaration<P>): Endpoint {
  const [mediaType = ''] = contentType.split(';');
  const directives = Object.entries(policy).map(([name, sources]) => `${name} ${sources}`);
  const fields: readonly HeaderField[] = [
    ['Content-Type', contentType],
    ['Content-Security-Policy', directives.join('; ')],
    ['Referrer-Policy', 'strict-origin-when-cross-origin'],
    ['X-Frame-Options', 'DENY'],
    ['Cross-Origin-Opener-Policy', 'same-origin'],
    ['Permissions-Policy', 'camera=(), geolocation=(self), microphone=()'],
    ...more,
  ];
  return endpoint({
    path,
    parameters,
    caching: 'document',
    dependsOn: [
      ...(isAging ? (['age'] as const) : []),
      isArchived ? 'archive' : 'has-archive',
      ...(isLinking ? (['base-url'] as const) : []),
      ...(isNegotiated ? (['language'] as const) : []),
    ],
    hasNotFoundPage,
    ...(operationId !== undefined && {
      operation: {
        id: operationId,
        tag: 'Pages',
        content: [COMPRESSED.includes(job) ? { mediaType } : text(mediaType)],
        ...(isFile && { headers: ['Content-Disposition'] }),
        refusals: [...refusals, 'busy'],
      },
    }),
    resolve(values, context) {
      const wanted = view(values, context);
      const isRefused = wanted.kind === 'error' || wanted.kind === 'invalid';
      if (isRefused) return wanted;
      const own = isFile ? [...fields, disposition(wanted, path)] : fields;
      const of = archiveOf(wanted, context);
      if (of === 'unavailable') return refuse('archive_unavailable');
      return { ...rendered(wanted, { fields: own, context, job, of }), digest: digest?.(values) };
    },
  });
}

/** The archive's files for a page of years; undefined for any other page, and without an archive. */
function archiveOf(
  { kind }: PageRequest,
  { state: { archive } }: Context,
): Rendering['of'] | 'unavailable' {
  if (kind !== 'years' || typeof archive !== 'object') return undefined;
  const daily = archive.daily();
  return daily === undefined ? 'unavailable' : { archive, daily };
}

function rendered(
  wanted: PageRequest,
  { fields, context, job, of }: Rendering,
): Extract<Source, { kind: 'document' }> {
  const { state } = context;
  const { digest, site } = state.pages;
  const hasArchive = typeof state.archive === 'object';
  const { language } = 'state' in wanted ? wanted.state : wanted.style;
  const made = `${digest}-${ageIn(wanted)}${hasArchive ? '-years' : ''}${of?.archive.digest ?? ''}`;
  const isNegotiated = context.language !== undefined;
  const variant = isNegotiated ? `${made}-${language}` : made;
  const baseUrl = 'baseUrl' in wanted ? wanted.baseUrl : undefined;
  // A page without absolute links is the same for every host.
  const linked = baseUrl === undefined ? { variant } : linkVariation(state, { baseUrl, variant });
  const isNotFound = wanted.kind === 'not-found';
  const variesBy = [
    ...(linked.variesBy ?? []),
    ...(isNegotiated ? ['Accept-Language'] : []),
    ...(isNotFound ? ['Accept'] : []),
  ];
  return {
    kind: 'document',
    job: { kind: job, task: { page: wanted, site: { ...site, hasArchive }, daily: of?.daily } },
    key: JSON.stringify([wanted, hasArchive, of?.archive.digest]),
    fields: [...fields, ['Content-Language', language]],
    ...linked,
    variesBy,
    ...(isNotFound && { status: 404 }),
    precompressed: COMPRESSED.includes(job),
    ...(of && {
      onFailure: (error: unknown) => {
        of.archive.onFailure(error, of.daily);
      },
    }),
  };
}

/**
 * A suggested file name of numbers and fixed words (RFC 6266 §4.3): `chart-28005002-8-7d.svg`. Pictures are shown, other
 * files are saved.
 */
function disposition(wanted: PageRequest, path: string): HeaderField {
  const [name = '', extension = ''] = path.slice(path.lastIndexOf('/') + 1).split('.');
  const shown = wanted.kind === 'chart' ? wanted.picture : wanted;
  const parts = [
    name,
    'stationId' in shown ? shown.stationId : undefined,
    'componentId' in shown ? shown.componentId : undefined,
    'period' in shown && shown.period !== undefined ? periodText(shown.period) : undefined,
  ].filter((part) => part !== undefined);
  const type = wanted.kind === 'chart' ? 'inline' : 'attachment';
  return ['Content-Disposition', `${type}; filename="${parts.join('-')}.${extension}"`];
}

/** A window's name, or the first hour and the end, UTC: `2026-02-04T23-2026-02-05T23`. */
function periodText(period: Period): string {
  if (!isFixed(period)) return period;
  const text = (hour: number): string => utcDateTime(hour * HOUR_MS).slice(0, 13);
  return `${text(period.from)}-${text(period.to)}`;
}

/** The part of the snapshot's age that the page's bytes depend on: hours, or whether it is old. */
function ageIn(wanted: PageRequest): string {
  if (wanted.kind === 'chart') return String(Number(wanted.picture.isOld));
  return String('ageHours' in wanted ? wanted.ageHours : 0);
}

interface Rendering {
  /** Those of every language. */
  readonly fields: readonly HeaderField[];
  readonly context: Context;
  readonly job: PageJob;
  readonly of: { readonly archive: ArchiveFiles; readonly daily: DailyFiles } | undefined;
}

/** Language and theme; where no language is given the client's, if the page is negotiated, else the operator's. */
export function pageStyle(
  { language, theme }: Values<typeof lenientStyle>,
  { state, language: preferred }: Context,
): PageStyle {
  return { language: language ?? preferred ?? state.pages.defaultLanguage, theme };
}
