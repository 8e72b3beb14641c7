/** What a route asks of the worker pool, and what makes two requests the same. */
import type { Plan, PlanTask } from '../../workers/messages.js';
import type { WorkerPool } from '../../workers/pool.js';
import type { HeaderField } from '../semantics/header-block.js';

/** What a worker is to plan; requests of the same key get the same answer. */
export interface PlannedRequest {
  readonly key: string;
  /** Beside those of every answer from a snapshot. */
  readonly fields: readonly HeaderField[];
  /** Of this build of the service, where the answer is made of more than the snapshot: part of its entity-tag. */
  readonly edition?: string;
  /** Its bytes are compressed inside, or there is no point in it: everybody gets the same ones. */
  readonly packed?: boolean;
  plan(pool: WorkerPool, wish: PlanTask): Promise<Plan>;
}
