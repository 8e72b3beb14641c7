/** Pages for people: the state that an address names, who renders it, and what browsers are told about it. */
import { createHash } from 'node:crypto';
import type { Language } from '../../snapshot/domain/model.js';
import type { PageStyle, PageWish, Site } from '../../views/pages/page.js';
import type { WorkerPool } from '../../workers/pool.js';
import type { Answer } from '../semantics/answer.js';
import { CROSS_ORIGIN, NO_STORE } from '../semantics/common-headers.js';
import { ASSET_URLS, EDITION } from '../routes/assets.js';
import { headerBlock, type HeaderField } from '../semantics/header-block.js';
import type { PlannedRequest } from './planned-request.js';
import type { ServedSnapshot } from './served.js';

const HOUR_MS = 3_600_000;

/** Pages do not tell ages beyond this one apart: a snapshot is daily, at the least. */
const AGE_HOURS_MAX = 31 * 24;

/** What an address is compared with. */
export interface PageFacts {
  readonly defaultLanguage: Language;
  /** Whole hours since the snapshot was made; 0 without one. */
  readonly ageHours: number;
  /** False without a snapshot, whatever the id. */
  readonly hasStation: (id: number) => boolean;
  readonly hasComponent: (id: number) => boolean;
  readonly hasSnapshot: boolean;
}

export interface PagesOptions {
  readonly defaultLanguage: Language;
  readonly timeZone: string;
  /** A GeoJSON file. */
  readonly baseMap?: string;
}

/** What a page may load and where it may send: itself, and nobody else; neither may it be framed. */
const POLICY = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self' data:",
  'font-src': "'self'",
  'connect-src': "'self'",
  'form-action': "'self'",
  'base-uri': "'none'",
  'frame-ancestors': "'none'",
} as const;

/** Directives that a page needs otherwise: what it runs is not ours. */
export type PolicyChanges = Readonly<Record<string, string>>;

export class Pages {
  readonly #defaultLanguage: Language;
  readonly #site: Site;
  /** Of this build and its settings: part of every page's entity-tag. */
  readonly #edition: string;
  /** Pages without a snapshot by their key: only so many states are told apart. */
  readonly #bare = new Map<string, Promise<Answer>>();

  constructor({ defaultLanguage, timeZone, baseMap }: PagesOptions) {
    this.#defaultLanguage = defaultLanguage;
    this.#site = { timeZone, assets: ASSET_URLS, baseMap };
    const made = JSON.stringify([EDITION, defaultLanguage, timeZone, baseMap]);
    this.#edition = createHash('sha256').update(made).digest('hex').slice(0, 8);
  }

  facts(served: ServedSnapshot | undefined, hours: number): PageFacts {
    return {
      defaultLanguage: this.#defaultLanguage,
      ageHours: hours,
      hasStation: (id) => served?.stations.has(id) ?? false,
      hasComponent: (id) => served?.components.has(id) ?? false,
      hasSnapshot: served !== undefined,
    };
  }

  /** How a page is rendered from a snapshot. */
  request(path: string, page: PageWish, policy: PolicyChanges): PlannedRequest {
    return {
      key: keyOf(path, page),
      fields: pageFields(page, policy),
      edition: `${this.#edition}-${'ageHours' in page ? page.ageHours : 0}`,
      plan: (pool, wish) => pool.run('render-page', { ...wish, page, site: this.#site }),
    };
  }

  /** The page while there is no snapshot: never kept by a cache (contract §9). */
  withoutSnapshot({ path, page, policy, gzip }: BareWish, pool: WorkerPool): Promise<Answer> {
    const key = `${gzip ? 'gzip' : 'identity'} ${keyOf(path, page)}`;
    const known = this.#bare.get(key);
    if (known !== undefined) return known;
    const made = this.#render({ path, page, policy, gzip }, pool);
    this.#bare.set(key, made);
    made.catch(() => this.#bare.delete(key));
    return made;
  }

  async #render({ page, policy, gzip }: BareWish, pool: WorkerPool): Promise<Answer> {
    const site = this.#site;
    const plan = await pool.run('render-page', { location: undefined, gzip, page, site });
    const [only] = plan.chunks;
    if (only?.kind !== 'bytes') throw new TypeError('a page is rendered whole');
    return {
      status: 200,
      headers: headerBlock([
        ...pageFields(page, policy),
        ...(plan.coding === 'gzip' ? [['Content-Encoding', 'gzip'] as const] : []),
        NO_STORE,
        ['Vary', 'Accept-Encoding'],
        ...CROSS_ORIGIN,
      ]),
      body: only.bytes,
    };
  }
}

interface BareWish {
  readonly path: string;
  readonly page: PageWish;
  readonly policy: PolicyChanges;
  readonly gzip: boolean;
}

/** Whole hours since the snapshot was made, at least 0; 0 without one. */
export function ageHours(served: ServedSnapshot | undefined): number {
  if (served === undefined) return 0;
  const { generatedAtMs } = served.snapshot.reader.header;
  const hours = Math.floor((Date.now() - generatedAtMs) / HOUR_MS);
  return Math.min(Math.max(hours, 0), AGE_HOURS_MAX);
}

function keyOf(path: string, page: PageWish): string {
  return `${path} ${JSON.stringify(page)}`;
}

function styleOf(page: PageWish): PageStyle {
  return 'state' in page ? page.state : page.style;
}

function pageFields(page: PageWish, changes: PolicyChanges): readonly HeaderField[] {
  const policy = Object.entries({ ...POLICY, ...changes })
    .map(([directive, sources]) => `${directive} ${sources}`)
    .join('; ');
  return [
    ['Content-Type', page.kind === 'map' ? 'image/svg+xml' : 'text/html; charset=utf-8'],
    ['Content-Language', styleOf(page).language],
    ['Content-Security-Policy', policy],
    ['Referrer-Policy', 'strict-origin-when-cross-origin'],
    ['X-Frame-Options', 'DENY'],
    ['Cross-Origin-Opener-Policy', 'same-origin'],
    ['Permissions-Policy', 'camera=(), geolocation=(), microphone=()'],
  ];
}
