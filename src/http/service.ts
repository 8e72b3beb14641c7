/** What one front process knows: the snapshot that it serves, or why it serves none, and what it has done. */
import type { StoreState, UnavailableReason } from '../snapshot/serving.js';
import type { BaseUrlOptions } from './base-url.js';
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
}

export function createService(): Service {
  return {
    served: undefined,
    unavailable: { reason: 'starting', detail: 'no snapshot has been loaded yet' },
    store: undefined,
    draining: false,
    baseUrl: { trustProxy: false },
  };
}
