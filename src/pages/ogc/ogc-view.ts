/** Pages of the OGC API for people: links, and a table of parameters, features or values (docs/http-api/ogc.md). */
import { SnapshotError } from '../../snapshot/domain/snapshot-error.js';
import { html, type Markup } from '../../views/html.js';
import { hrefWith, type Link } from '../../views/ogc/links.js';
import type { Request, ValuesRequest } from '../../views/ogc/requests.js';
import type { PageState } from '../../views/pages/page.js';
import { writeTable } from '../../workers/jobs/answers/plan-table.js';
import { ogcText } from '../../workers/jobs/answers/plan-ogc.js';
import type { OpenSnapshot } from '../../workers/open-snapshot.js';
import { textPage, type ViewSource } from '../view.js';

export interface OgcState extends PageState {
  readonly request: Request;
}

/** About the number of features on a page of values; the files have all. */
const FEATURES_MAX = 500;

/** The members of a document that a page shows. */
interface Shown {
  readonly id?: string;
  readonly title?: string;
  readonly description?: string;
  readonly links?: readonly Link[];
  readonly conformsTo?: readonly string[];
  readonly collections?: readonly Shown[];
  readonly parameter_names?: Readonly<Record<string, object>>;
  readonly features?: readonly Shown[];
  readonly properties?: object;
}

/** @throws {SnapshotError} `no_public_data` for an unknown feature, `copy_damaged`. */
export function render(state: OgcState, source: ViewSource): string {
  const { request } = state;
  const open = (): OpenSnapshot => {
    const snapshot = source.snapshot();
    if (snapshot === undefined) throw new SnapshotError('copy_damaged', 'there is no snapshot');
    return snapshot;
  };
  const text =
    request.kind === 'values'
      ? firstValues(request, open)
      : ogcText(open(), { request, baseUrl: source.baseUrl ?? '' }).text;
  // Members of our own documents.
  const shown = JSON.parse(text) as Shown;
  const title = shown.title ?? shown.id ?? headingOf(request);
  const main = html`<article class="prose" lang="en">
<header><h1>${title}</h1><p class="lead">${shown.description}</p></header>
<h2>Links</h2>
<ul>${[...linksOf(shown), ...filesOf(request)].map(({ href, rel, title: name = href }) => html`<li><a href="${href}">${name}</a> ${rel}</li>`)}</ul>
${tableOf(shown, title)}
</article>`;
  const head = html`<link rel="stylesheet" href="${source.site.assets['prose.css']}">`;
  return textPage('page', { title, head, main }, state, source);
}

function linksOf({ collections = [], conformsTo = [], links = [] }: Shown): readonly Link[] {
  return [
    ...collections.flatMap(({ title, links: [, page] = [] }) => (page ? { ...page, title } : [])),
    ...conformsTo.map((href) => ({ href, rel: '' })),
    ...links,
  ];
}

/** The heading of a document without a title. */
function headingOf(request: Request): string {
  if (request.kind === 'values') return 'Hourly values';
  return request.kind === 'document' ? request.name : request.collection;
}

/** A link to the JSON; values have links to their files. */
function filesOf(request: Request): readonly Link[] {
  if (request.kind === 'values') return [];
  const query = 'query' in request ? request.query : '';
  return [{ href: hrefWith('', query, { f: 'json' }), rel: 'alternate', title: 'JSON' }];
}

function tableOf(
  { features, properties, parameter_names: names = {} }: Shown,
  title: string,
): Markup | undefined {
  const records = features?.map((one) => one.properties ?? {}) ?? [properties ?? []].flat();
  const rows = records.length > 0 ? records : Object.values(names);
  if (rows.length === 0) return undefined;
  const columns = Object.keys(rows[0] ?? {});
  const cells = rows.map((row) => new Map(Object.entries(row)));
  return html`<div class="table records" role="region" aria-label="${title}" tabindex="0"><table>
<thead><tr>${columns.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${cells.map((row) => html`<tr>${columns.map((name) => html`<td>${cellText(row.get(name))}</td>`)}</tr>`)}</tbody>
</table></div>`;
}

function cellText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? '–').replaceAll('"', '');
}

/** The first values as features, with links to the files. */
function firstValues(request: ValuesRequest, open: () => OpenSnapshot): string {
  const texts: string[] = [];
  const all = writeTable((text) => texts.push(text), open, {
    ...request,
    form: { GeoJSON: request.address },
  });
  while (texts.length <= FEATURES_MAX) if (all.next().done === true) return texts.join('');
  return `${texts.join('')}]}`;
}
