/** `GET /api/v1/dcat`: the catalogue, rendered at import, with the base URL of the request in its links. */
import { baseUrlText } from '../../../views/base-url.js';
import { openSnapshot } from '../../open-snapshot.js';
import { planText } from '../../formats/answers.js';
import type { Plan } from '../../../snapshot/local/plan.js';
import type { PlanCatalogTask } from '../../messages.js';

/** @throws {SnapshotError} `copy_damaged`. */
export function planCatalog({ location, gzip, baseUrl }: PlanCatalogTask): Plan {
  const texts = openSnapshot(location).reader.record('catalog');
  return planText(texts.join(baseUrlText(baseUrl)), { gzip });
}
