/** The state of one front process: its active snapshot, or why no snapshot is active, and its settings. */
import type { StoreState, UnavailableReason } from '../../snapshot/domain/active-state.js';
import { HOUR_MS } from '../../snapshot/domain/windows.js';
import { AGE_HOURS_MAX } from '../../views/pages/page.js';
import type { DocumentJob } from '../../workers/messages.js';
import type { WorkerPool } from '../../workers/pool.js';
import type { BaseUrlOptions } from '../semantics/request-base-url.js';
import type { ArchiveFiles } from './archive-files.js';
import type { FrontHistory } from './front-history.js';
import type { PageSettings } from './page-settings.js';
import type { RenderedAnswers } from './rendered-answers.js';
import { SnapshotEvents } from './snapshot-events.js';
import { answersWithoutSnapshot, type SnapshotAnswers } from './snapshot-answers.js';

/** Each change is one assignment between two requests. */
export interface FrontState {
  served: SnapshotAnswers | undefined;
  /** Earlier snapshots, whose bulk files stay at the addresses with their digests. */
  former: readonly SnapshotAnswers[];
  unavailable: { readonly reason: UnavailableReason; readonly detail: string };
  store: StoreState | undefined;
  /** Whether the service is shutting down: readiness is then 503. */
  isDraining: boolean;
  readonly withoutSnapshot: RenderedAnswers<DocumentJob>;
  readonly baseUrl: BaseUrlOptions;
  readonly pages: PageSettings;
  readonly history: FrontHistory;
  /** Undefined while it is unknown, and while an existing archive has no active snapshot beside it. */
  archive: ArchiveFiles | 'none' | undefined;
  readonly events: SnapshotEvents;
}

export function createFrontState(
  pool: WorkerPool,
  settings: Pick<FrontState, 'baseUrl' | 'pages' | 'history'>,
): FrontState {
  return {
    served: undefined,
    former: [],
    unavailable: { reason: 'starting', detail: 'no snapshot has been loaded yet' },
    store: undefined,
    isDraining: false,
    withoutSnapshot: answersWithoutSnapshot(pool),
    ...settings,
    archive: undefined,
    events: new SnapshotEvents(),
  };
}

/** Whole hours since the snapshot was generated, from 0 to `AGE_HOURS_MAX`; 0 without a snapshot. */
export function ageHours({ served }: Pick<FrontState, 'served'>): number {
  if (served === undefined) return 0;
  const { generatedAtMs } = served.snapshot.reader.header;
  const hours = Math.floor((Date.now() - generatedAtMs) / HOUR_MS);
  return Math.min(Math.max(hours, 0), AGE_HOURS_MAX);
}
