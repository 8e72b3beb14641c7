/** `GET /api/v1/snapshots`: the snapshots that a client may name. */
import type { Plan } from '../../../snapshot/local/plan.js';
import { viewSnapshot } from '../../../views/history/snapshots.js';
import { planText } from '../../formats/answers.js';
import type { RenderHistoryTask } from '../../messages.js';

export function renderHistory({ snapshots, gzip }: RenderHistoryTask): Plan {
  const text = JSON.stringify(snapshots.map(viewSnapshot));
  return planText(text, { gzip, records: snapshots.length });
}
