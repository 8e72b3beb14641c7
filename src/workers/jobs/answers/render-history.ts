/** The snapshots that a client may name: `GET /api/v1/snapshots` and `GET /api/v1/changes.atom`. */
import type { Plan } from '../../../snapshot/local/plan.js';
import { renderAtomFeed, viewSnapshot } from '../../../views/history/snapshots.js';
import { planText } from '../../formats/answers.js';
import type { RenderHistoryTask } from '../../messages.js';

export function renderHistory({ snapshots, baseUrl, gzip }: RenderHistoryTask): Plan {
  if (baseUrl !== undefined) return planText(renderAtomFeed(snapshots, baseUrl), { gzip });
  const text = JSON.stringify(snapshots.map(viewSnapshot));
  return planText(text, { gzip, records: snapshots.length });
}
