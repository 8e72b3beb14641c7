/** What one front process knows: the snapshot that it serves, or why it serves none, and what it has done. */
import type { StoreState, UnavailableReason } from '../../snapshot/domain/serving-state.js';
import type { WorkerPool } from '../../workers/pool.js';
import type { BaseUrlOptions } from '../semantics/request-base-url.js';
import { Pages } from './pages.js';
import type { ServedSnapshot } from './served.js';

/** Changed between two requests, by one assignment each; read at the start of each answer. */
export interface Service {
  served: ServedSnapshot | undefined;
  /** Why `served` is undefined. */
  unavailable: { readonly reason: UnavailableReason; readonly detail: string };
  store: StoreState | undefined;
  draining: boolean;
  /** Where absolute links lead. */
  baseUrl: BaseUrlOptions;
  pages: Pages;
  /** Renders pages while there is no snapshot; undefined before the start. */
  pool: WorkerPool | undefined;
}

export function createService(): Service {
  return {
    served: undefined,
    unavailable: { reason: 'starting', detail: 'no snapshot has been loaded yet' },
    store: undefined,
    draining: false,
    baseUrl: { trustProxy: false },
    pages: new Pages({ defaultLanguage: 'sr-Latn', timeZone: 'UTC' }),
    pool: undefined,
  };
}
