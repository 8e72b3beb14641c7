/** The snapshots that a client may name: `GET /api/v1/snapshots` and `GET /api/v1/changes.atom`. */
import type { Plan } from '../../../snapshot/local/plan.js';
import { renderAtomFeed, viewSnapshot } from '../../../views/history/snapshots.js';
import { operatorName } from '../../../views/operator.js';
import { openSnapshot } from '../../open-snapshot.js';
import { planText } from '../../formats/answers.js';
import type { RenderHistoryTask } from '../../messages.js';

/** @throws {SnapshotError} `copy_damaged`. */
export function renderHistory({ location, snapshots, feed, gzip }: RenderHistoryTask): Plan {
  if (feed !== undefined) {
    const publisher = openSnapshot(location).reader.record('publisher');
    const author = operatorName('en', publisher?.name);
    return planText(renderAtomFeed(snapshots, { ...feed, author }), { gzip });
  }
  const text = JSON.stringify(snapshots.map(viewSnapshot));
  return planText(text, { gzip, records: snapshots.length });
}
