/** Documents with absolute links: the catalogue, and documents of the build (`src/http/routes/site-documents.ts`). */
import { readFileSync } from 'node:fs';
import { OUR_LANGUAGES } from '../../../texts/text-files.js';
import { statedOperator } from '../../../texts/operator.js';
import { LANGUAGES, offered } from '../../../texts/texts.js';
import { BASE_URL_PLACEHOLDER, baseUrlText } from '../../../views/base-url.js';
import { viewCatalog } from '../../../views/catalog/catalog.js';
import { viewCroissant } from '../../../views/catalog/croissant.js';
import { DEFAULT_LICENSE, licenseOf, operatorName } from '../../../views/operator-links.js';
import { instanceExamples } from '../../../views/instance-examples.js';
import {
  parameterExamples,
  withOwnExamples,
  withOwnWords,
} from '../../../views/openapi/own-examples.js';
import { viewRobots, viewSitemap, type ListedPage } from '../../../views/sitemap.js';
import type { Plan } from '../../../snapshot/local/plan.js';
import { escapeMarkup } from '../../../views/xml.js';
import { planText } from '../../formats/answers.js';
import type { PlanCatalogTask, RenderSiteDocumentTask, SiteDocument } from '../../messages.js';
import { openSnapshot, type OpenSnapshot } from '../../open-snapshot.js';
import { readCatalog, readPortal } from '../../../pages/read-portal.js';

const CATALOGS = { dcat: viewCatalog, croissant: viewCroissant } as const;

/** The catalogue in one vocabulary. @throws {SnapshotError} `copy_damaged`. */
export function planCatalog({ location, gzip, form, baseUrl, hasArchive }: PlanCatalogTask): Plan {
  const input = readCatalog(openSnapshot(location), hasArchive);
  return planText(JSON.stringify(CATALOGS[form](input, (path) => baseUrl + path)), { gzip });
}

/** Documents that are constant except for the base URL: chunks of text between base URLs. */
type ChunkedDocument = Exclude<SiteDocument, 'robots.txt'>;

/** Escapes the base URL for each document. */
const ESCAPED: Readonly<Record<ChunkedDocument, (baseUrl: string) => string>> = {
  'openapi.json': baseUrlText,
  'ogc/api': baseUrlText,
  'llms.txt': (baseUrl) => baseUrl,
  'sitemap.xml': escapeMarkup,
};

/** Chunks of the documents that this thread has read. */
const chunks = new Map<string, readonly string[]>();

/** @throws {SnapshotError} `copy_damaged`. */
export function renderSiteDocument({
  location,
  gzip,
  name,
  baseUrl,
  hasArchive,
}: RenderSiteDocumentTask): Plan {
  if (name === 'robots.txt') return planText(viewRobots(baseUrl), { gzip });
  const key = `${name} ${hasArchive}`;
  const texts = chunks.get(key) ?? readChunks(name, hasArchive);
  chunks.set(key, texts);
  const text = texts.join(ESCAPED[name](baseUrl));
  const snapshot = location && openSnapshot(location);
  return planText(snapshot ? withExamples(text, snapshot, name) : text, { gzip });
}

/** Replaces examples of parameters by those of this snapshot. */
function withExamples(text: string, snapshot: OpenSnapshot, name: ChunkedDocument): string {
  if (name === 'sitemap.xml' || name === 'ogc/api') return text;
  const portal = readPortal(snapshot);
  const examples = instanceExamples(portal);
  if (examples === undefined) return text;
  const parameters = parameterExamples(examples, portal.header.snapshotId);
  return name === 'openapi.json'
    ? withOwnExamples(text, parameters)
    : withOwnWords(text, parameters);
}

/** Reads a document that `build-assets.mjs` has written. */
function readChunks(name: ChunkedDocument, hasArchive: boolean): readonly string[] {
  const read = (file: string): string =>
    readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8');
  const text =
    name === 'sitemap.xml'
      ? viewSitemap(JSON.parse(read('pages.json')) as readonly ListedPage[], hasArchive)
      : withOperator(read(name === 'ogc/api' ? 'ogc-api.json' : name));
  return text.split(BASE_URL_PLACEHOLDER);
}

/** Replaces languages and licence of the build by those of this instance, and adds the publisher. */
function withOperator(text: string): string {
  const list = (join: (languages: readonly string[]) => string) =>
    [join(OUR_LANGUAGES), join(LANGUAGES)] as const;
  const name = operatorName('en', undefined) ?? '';
  const homepage = statedOperator()?.homepage;
  const publisher = homepage === undefined ? name : `[${name}](${homepage})`;
  return [
    list((languages) => JSON.stringify(languages)),
    list((languages) => languages.join(', ')),
    ['default: `sr-Latn`', `default: \`${offered('sr-Latn')}\``] as const,
    ['"example":"en"', `"example":"${offered('en')}"`] as const,
    [DEFAULT_LICENSE, licenseOf().name.replaceAll(/["\\]/g, '')] as const,
    ...(name === '' ? [] : [[TERMS, `- Published by ${publisher}\n${TERMS}`] as const]),
  ].reduce((made, [built, own]) => made.replaceAll(built, own), text);
}

/** Beginning of the line in `/llms.txt` before which the publisher is added. */
const TERMS = '- [Terms of use]';
