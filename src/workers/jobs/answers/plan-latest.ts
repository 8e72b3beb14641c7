/** `GET /api/v1/observations/latest`: the newest value of every series that the filters leave. */
import { viewObservationsMeta } from '../../../views/hvd/window.js';
import { openSnapshot } from '../../open-snapshot.js';
import { planText } from '../../formats/text-plan.js';
import type { Plan } from '../../../snapshot/local/plan.js';
import type { PlanLatestTask } from '../../messages.js';

/** @throws {SnapshotError} `copy_damaged`. */
export function planLatest({ location, gzip, stationId, parameterCode }: PlanLatestTask): Plan {
  const { reader } = openSnapshot(location);
  const texts = reader
    .latest()
    .filter(
      (observation) =>
        (stationId === undefined || observation.stationId === stationId) &&
        (parameterCode === undefined || observation.parameterCode === parameterCode),
    )
    .map(({ text }) => text);
  const meta = JSON.stringify({
    ...viewObservationsMeta(reader.header, {}),
    count: texts.length,
  });
  return planText(`{"data":[${texts.join(',')}],"meta":${meta}}`, { gzip, records: texts.length });
}
