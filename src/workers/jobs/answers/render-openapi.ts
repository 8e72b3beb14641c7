/** `GET /openapi.json`: the document that the build has made of the table of routes, with the base URL of the request. */
import { readFileSync } from 'node:fs';
import { BASE_URL_PLACEHOLDER, baseUrlText } from '../../../views/base-url.js';
import { planText } from '../../formats/text-plan.js';
import type { Plan } from '../../../snapshot/local/plan.js';
import type { RenderOpenApiTask } from '../../messages.js';

/** Beside the compiled code: `build-assets.mjs` puts it there. */
const FILE = new URL('../../../openapi.json', import.meta.url);

const TEXTS = readFileSync(FILE, 'utf8').split(BASE_URL_PLACEHOLDER);

export function renderOpenApi({ gzip, baseUrl }: RenderOpenApiTask): Plan {
  return planText(TEXTS.join(baseUrlText(baseUrl)), { gzip });
}
