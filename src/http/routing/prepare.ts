/** Makes the answers that everybody asks for before anybody does. */
import type { FrontState } from '../answers/front-state.js';
import type { ServedSnapshot } from '../answers/served-snapshot.js';
import type { Endpoint } from './endpoint.js';
import { parseParameters } from './parameters.js';

export interface Preparation {
  /** Resolves when all are there; whoever asks for one that could not be made meets its failure again. */
  readonly done: Promise<unknown>;
  /** What has not begun will not be made, unless a client waits for it. */
  abandon(): void;
}

/** Has workers make the answers of a snapshot that requests without parameters get, ahead of whatever waits. */
export function prepare(
  endpoints: readonly Endpoint[],
  served: ServedSnapshot,
  current: Readonly<FrontState>,
): Preparation {
  const state = { ...current, served };
  const { header } = served.snapshot.reader;
  const context = { state, header, baseUrl: undefined };
  const answers = endpoints.flatMap((endpoint) => {
    if (endpoint.isPrepared !== true) return [];
    const parsed = parseParameters(endpoint, { path: endpoint.path, query: '' });
    const source = parsed.ok ? endpoint.resolve(parsed.values, context) : parsed.refusal;
    const isMade = source.kind === 'made' || source.kind === 'rendered';
    return isMade ? served.made.prepare(source.job) : [];
  });
  return {
    done: Promise.allSettled(answers.map(({ promise }) => promise)),
    abandon: () => {
      for (const answer of answers) answer.abandon();
    },
  };
}
