/** Documents with the base URL of the request in their links: the catalogue, and those that the build has made of the table of routes (`src/http/routes/site-documents.ts`). */
import { readFileSync } from 'node:fs';
import { BASE_URL_PLACEHOLDER, baseUrlText } from '../../../views/base-url.js';
import type { Plan } from '../../../snapshot/local/plan.js';
import { xmlText } from '../../formats/spreadsheets/xml.js';
import { planText } from '../../formats/answers.js';
import type { PlanCatalogTask, RenderSiteDocumentTask, SiteDocument } from '../../messages.js';
import { openSnapshot } from '../../open-snapshot.js';

/** `GET /api/v1/dcat`: the catalogue, rendered at import. @throws {SnapshotError} `copy_damaged`. */
export function planCatalog({ location, gzip, baseUrl }: PlanCatalogTask): Plan {
  const texts = openSnapshot(location).reader.record('catalog');
  return planText(texts.join(baseUrlText(baseUrl)), { gzip });
}

/** The base URL as it stands in each of them. */
const ESCAPED: Readonly<Record<SiteDocument, (baseUrl: string) => string>> = {
  'openapi.json': baseUrlText,
  'llms.txt': (baseUrl) => baseUrl,
  'robots.txt': (baseUrl) => baseUrl,
  'sitemap.xml': xmlText,
};

/** Texts without the base URL, of the documents that this thread has rendered: read once. */
const chunks = new Map<SiteDocument, readonly string[]>();

export function renderSiteDocument({ gzip, name, baseUrl }: RenderSiteDocumentTask): Plan {
  const texts = chunks.get(name) ?? readChunks(name);
  chunks.set(name, texts);
  return planText(texts.join(ESCAPED[name](baseUrl)), { gzip });
}

/** Beside the compiled code: `build-assets.mjs` puts them there. */
function readChunks(name: SiteDocument): readonly string[] {
  const file = new URL(`../../../${name}`, import.meta.url);
  return readFileSync(file, 'utf8').split(BASE_URL_PLACEHOLDER);
}
