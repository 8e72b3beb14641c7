/** Pages for people: the portal, the legal pages and the documentation (docs/http-api.md, "Pages"). */
import { LANGUAGES, WINDOWS, type Language } from '../../snapshot/domain/model.js';
import {
  DEFAULT_SORT,
  DEFAULT_WINDOW,
  DOCUMENTATION_PAGES,
  LEGAL_PAGES,
  SEARCH_LENGTH_MAX,
  STATION_SORTS,
  THEMES,
  type DocumentationPage,
  type LegalPage,
  type PageStyle,
  type PageRequest,
  type PortalState,
  type Theme,
} from '../../views/pages/page.js';
import { endpoint, type Context, type Endpoint, type Source } from '../routing/endpoint.js';
import { text, type Operation } from '../routing/openapi/operation.js';
import {
  anyId,
  anyOf,
  anyText,
  optionalOneOf,
  type Parameters,
  type Values,
} from '../routing/parameters.js';
import type { HeaderField } from '../semantics/header-block.js';

const themeAbout = {
  description: '`light` or `dark`; without it, what the browser prefers.',
} as const;

const languageAbout = {
  description:
    '`sr-Latn`, `sr-Cyrl` or `en`; without it, the language that the operator has chosen.',
} as const;

/** Pages that never refuse a value: an unknown one counts as none. */
const lenientStyle = {
  language: anyOf(LANGUAGES, languageAbout),
  theme: anyOf(THEMES, themeAbout),
};

/** Pages that do. */
const strictStyle = {
  language: optionalOneOf(LANGUAGES, languageAbout),
  theme: optionalOneOf(THEMES, themeAbout),
};

const portalQuery = {
  ...lenientStyle,
  station_id: anyId({ description: 'Opens the panel of this station.', example: 28005002 }),
  component_id: anyId({ description: 'Shows values of this component.', example: 8 }),
  window: anyOf(WINDOWS, {
    description: 'How far back the charts go; `1d` if none is given.',
    example: '1d',
  }),
  sort: anyOf(STATION_SORTS, { description: 'What the table of stations is ordered by.' }),
  q: anyText(SEARCH_LENGTH_MAX, {
    description: 'Only stations whose name, code or location has this text.',
  }),
};

/** What a page may load and where it may send: itself, and nobody else; neither may it be framed. */
const POLICY: Policy = {
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

type Policy = Readonly<Record<string, string>>;

/**
 * Redoc writes its styles into an empty style element, adds one for scroll bars, and searches in a worker made of text.
 * The hashes are those of exactly these two elements; another version of Redoc may need another one.
 */
const REDOC_POLICY: Policy = {
  ...POLICY,
  'style-src':
    "'self' 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=' 'sha256-QMIg+bpjm3JdElJ388KYke01izlUW0UoNOeKjpMxdgc='",
  'worker-src': 'blob:',
};

const DOCUMENTATION = {
  'api-docs': {
    id: 'getApiDocumentation',
    summary: 'Documentation of the API',
    description: 'This document, to be read and tried, with an introduction.',
  },
  docs: {
    id: 'getSwaggerUi',
    summary: 'This document in Swagger UI',
    description: 'To be read and tried.',
  },
  redoc: { id: 'getRedoc', summary: 'This document in Redoc', description: 'To be read.' },
} as const satisfies Readonly<Record<DocumentationPage, PageWords>>;

const LEGAL = {
  license: {
    id: 'getLicense',
    summary: 'Licence',
    description: 'Under which law the data may be reused, and how their source is named.',
  },
  terms: {
    id: 'getTermsOfUse',
    summary: 'Terms of use',
    description: 'What the data are, and what they are not meant for.',
  },
  qos: {
    id: 'getQualityOfService',
    summary: 'Quality of service',
    description: 'Availability, maintenance, how often data are refreshed.',
  },
  contact: { id: 'getContact', summary: 'Contact', description: 'Who answers questions.' },
  dataset: {
    id: 'getDatasetDescription',
    summary: 'About the dataset',
    description: 'What it holds, for how long, and where it is had.',
  },
} as const satisfies Readonly<Record<LegalPage, PageWords>>;

type PageWords = Pick<Operation, 'id' | 'summary' | 'description'>;

export const PORTAL: readonly Endpoint[] = [
  page({
    path: '/',
    parameters: portalQuery,
    isPrepared: true,
    words: {
      id: 'getPortal',
      summary: 'The portal',
      description:
        'A map and a table of the stations with the latest values of one component, and the panel of one station. Never an ' +
        'error: a value that is not known counts as none.',
    },
    view: (values, context) => ({
      kind: 'portal',
      state: portalState(values, context),
      ageHours: context.ageHours,
    }),
  }),
  page({
    path: '/portal/station-modal',
    parameters: portalQuery,
    words: {
      id: 'getStationModal',
      summary: "One station's panel",
      description:
        'The part of the portal that a script opens in a dialog; empty and closed without a station.',
    },
    view: (values, context) => ({
      kind: 'station-modal',
      state: portalState(values, context),
      ageHours: context.ageHours,
    }),
  }),
  page({
    path: '/portal/map.svg',
    parameters: { theme: anyOf(THEMES, themeAbout) },
    isPrepared: true,
    mediaType: 'image/svg+xml',
    words: {
      id: 'getMap',
      summary: 'The map under the stations',
      description:
        'Land, borders and water around the stations of the network, as an image in the colours of one theme.',
    },
    // An image has no language.
    view: ({ theme }, { state }) => ({
      kind: 'map',
      style: { language: state.pages.defaultLanguage, theme: theme ?? 'light' },
    }),
  }),
];

export const DOCUMENTATION_ENDPOINTS: readonly Endpoint[] = DOCUMENTATION_PAGES.map((name) =>
  page({
    path: `/${name}`,
    parameters: lenientStyle,
    policy: name === 'redoc' ? REDOC_POLICY : POLICY,
    words: DOCUMENTATION[name],
    view: (values, context) => ({ kind: 'documentation', name, style: pageStyle(values, context) }),
  }),
);

export const LEGAL_ENDPOINTS: readonly Endpoint[] = LEGAL_PAGES.map((name) =>
  page({
    path: `/legal/${name}`,
    parameters: strictStyle,
    words: LEGAL[name],
    view: (values, context) => ({ kind: 'legal', name, style: pageStyle(values, context) }),
  }),
);

interface PageDeclaration<P extends Parameters> {
  readonly path: `/${string}`;
  readonly parameters: P;
  readonly words: PageWords;
  /** Default: made for whoever asks first. */
  readonly isPrepared?: boolean;
  /** Default: that of all pages. */
  readonly policy?: Policy;
  /** Default: HTML. */
  readonly mediaType?: string;
  /** What is to be shown: all that the page's bytes depend on beside snapshot, build and settings. */
  readonly view: (values: Values<P>, context: Context) => PageRequest;
}

function page<P extends Parameters>({
  path,
  parameters,
  words,
  isPrepared = false,
  policy = POLICY,
  mediaType = 'text/html',
  view,
}: PageDeclaration<P>): Endpoint {
  const fields = {
    'sr-Latn': pageFields({ language: 'sr-Latn', policy, mediaType }),
    'sr-Cyrl': pageFields({ language: 'sr-Cyrl', policy, mediaType }),
    en: pageFields({ language: 'en', policy, mediaType }),
  };
  return endpoint({
    path,
    parameters,
    caching: 'rendered',
    isPrepared,
    // The same target means another page when the snapshot is an hour older.
    dependsOn: 'age',
    operation: {
      ...words,
      tag: 'Pages',
      content: [text(mediaType)],
      headers: [
        'Content-Language',
        'Content-Security-Policy',
        'Cross-Origin-Opener-Policy',
        'Permissions-Policy',
        'Referrer-Policy',
        'X-Frame-Options',
      ],
      refusals: ['busy'],
    },
    respond: (values, context) => render(view(values, context), { path, fields, context }),
  });
}

function render(
  wanted: PageRequest,
  {
    path,
    fields,
    context: { state },
  }: {
    readonly path: string;
    /** Made once, in each language. */
    readonly fields: Readonly<Record<Language, readonly HeaderField[]>>;
    readonly context: Context;
  },
): Source<'maybe'> {
  const { digest, site } = state.pages;
  const { language } = 'state' in wanted ? wanted.state : wanted.style;
  return {
    kind: 'rendered',
    job: {
      key: `${path} ${JSON.stringify(wanted)}`,
      fields: fields[language],
      variant: `${digest}-${'ageHours' in wanted ? wanted.ageHours : 0}`,
      run: (pool, task) => pool.run('render-page', { ...task, page: wanted, site }),
    },
  };
}

function pageFields({
  language,
  policy,
  mediaType,
}: {
  readonly language: Language;
  readonly policy: Policy;
  readonly mediaType: string;
}): readonly HeaderField[] {
  const directives = Object.entries(policy).map(([name, sources]) => `${name} ${sources}`);
  return [
    ['Content-Type', mediaType === 'text/html' ? 'text/html; charset=utf-8' : mediaType],
    ['Content-Language', language],
    ['Content-Security-Policy', directives.join('; ')],
    ['Referrer-Policy', 'strict-origin-when-cross-origin'],
    ['X-Frame-Options', 'DENY'],
    ['Cross-Origin-Opener-Policy', 'same-origin'],
    ['Permissions-Policy', 'camera=(), geolocation=(), microphone=()'],
  ];
}

function pageStyle(
  {
    language,
    theme,
  }: { readonly language: Language | undefined; readonly theme: Theme | undefined },
  { state }: Context,
): PageStyle {
  return { language: language ?? state.pages.defaultLanguage, theme };
}

/** What names nothing in this snapshot counts as not given, so that there are only so many states. */
function portalState(values: Values<typeof portalQuery>, context: Context): PortalState {
  const { station_id: stationId, component_id: componentId, window, sort, q: search } = values;
  const { served } = context.state;
  return {
    ...pageStyle(values, context),
    stationId: stationId !== undefined && served?.stations.has(stationId) ? stationId : undefined,
    componentId:
      componentId !== undefined && served?.components.has(componentId) ? componentId : undefined,
    window: window ?? DEFAULT_WINDOW,
    sort: sort ?? DEFAULT_SORT,
    search: served === undefined ? '' : search,
  };
}
