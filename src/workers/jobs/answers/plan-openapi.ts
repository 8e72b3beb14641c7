/** `GET /openapi.json`: the template of the table of routes, with the base URL and examples from the snapshot. */
import { fillPlaces } from '../../../views/openapi/places.js';
import { planText } from '../../formats/text-plan.js';
import type { Plan, PlanOpenApiTask } from '../../messages.js';
import { openApiExamples } from './openapi-examples.js';

/** @throws {SnapshotError} `copy_damaged`. */
export function planOpenApi({ location, gzip, baseUrl, template }: PlanOpenApiTask): Plan {
  const examples = openApiExamples(location, baseUrl);
  // A copy: text is not decoded from shared memory.
  const text = Buffer.from(template).toString('utf8');
  return planText(fillPlaces(text, { baseUrl, examples }), { gzip });
}
