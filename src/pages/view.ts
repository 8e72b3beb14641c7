/** Renders a page in a worker, from a snapshot, settings and a state. */
import { viewLayout, type PageLocation } from '../views/pages/layout.js';
import { viewDataset } from '../views/catalog/dataset.js';
import { DATASET_LINKS, DESCRIPTOR_LINKS } from '../views/hvd/descriptor.js';
import { html, raw, type Markup } from '../views/html.js';
import type { PageMarkup, PageState } from '../views/pages/page.js';
import type { Layout } from '../views/pages/portal/common-markup.js';
import type { Portal } from '../views/pages/portal/portal-model.js';
import { escapeMarkup } from '../views/xml.js';
import { messagesOf } from '../texts/texts.js';
import type { Messages } from '../texts/fluent-messages.js';
import { renderTemplate } from '../workers/formats/templates.js';
import type { RenderPageTask } from '../workers/messages.js';
import type { OpenSnapshot } from '../workers/open-snapshot.js';
import { readCatalog, readPortal } from './read-portal.js';

export interface ViewSource extends Omit<RenderPageTask, 'location' | 'gzip' | 'view' | 'state'> {
  /** The open snapshot, if any. Call this again after an `await`, during which the snapshot may be closed. */
  readonly snapshot: () => OpenSnapshot | undefined;
}

/** Text, compressed bytes, or a text with the digest that its address contains. */
export type Rendered = string | Uint8Array | { readonly text: string; readonly digest: string };

/** The `render` function of a view's module. */
export interface View {
  render(state: PageState, source: ViewSource): Rendered | Promise<Rendered>;
}

/** The portal; undefined without a snapshot. @throws {SnapshotError} `copy_damaged`. */
export function portalOf({ snapshot }: Pick<ViewSource, 'snapshot'>): Portal | undefined {
  const opened = snapshot();
  return opened && readPortal(opened);
}

/** Puts a page of values into the layout. @param parameters kept by links to other languages and themes. */
export function valuePage(
  state: PageState,
  source: ViewSource,
  parameters: PageLocation['parameters'],
  markup: (layout: Layout, texts: Messages) => PageMarkup,
): string {
  const layout = layoutOf(state, source, parameters);
  const content = markup(layout, messagesOf(state.language, 'portal'));
  return below(source, renderTemplate('page', { layout, page: content }));
}

/** A page of text from a template of `views/templates`. */
export function textPage(
  template: string,
  context: object,
  state: PageState,
  source: ViewSource,
): string {
  const layout = layoutOf(state, source, {});
  return below(source, renderTemplate(template, { layout, page: context }));
}

function layoutOf(
  state: PageState,
  source: ViewSource,
  parameters: PageLocation['parameters'],
): Layout & { readonly dataset: string } {
  const { path, section, site } = source;
  const operator = portalOf(source)?.operators[0];
  const layout = viewLayout(state, site, { path, parameters, section, operator });
  return { ...layout, dataset: datasetMarkup(state, source).text };
}

/** The head of pages about the dataset: links to its descriptions, and its record as JSON-LD. */
function datasetMarkup(
  { language, stationId }: PageState,
  { snapshot, baseUrl, path, site }: ViewSource,
): Markup {
  const isAbout = path === '/' ? stationId === undefined : path === DESCRIPTOR_LINKS.dataset;
  if (!isAbout) return html``;
  const opened = snapshot();
  const input = opened && readCatalog(opened, site.hasArchive);
  const dataset = input && baseUrl && viewDataset(input, language, (to) => baseUrl + to);
  // No text of the record may end the element.
  const json = dataset && JSON.stringify(dataset).replaceAll('<', '\\u003c');
  const links = DATASET_LINKS.map(
    ([relation, href, type]) => html`<link rel="${relation}" href="${href}" type="${type}">\n`,
  );
  return html`${links}${json && html`<script type="application/ld+json">${raw(json)}</script>\n`}`;
}

/** A path at the beginning of a link, or of an HTTP request in prose. */
const LINKED_PATH =
  /(?<=\s(?:href|src|srcset|action|data-description|data-towns)="|<code>GET )\/(?!\/)/g;

/** Adds the path prefix to every link of a page. Views escape every value, so no other text looks like a link. */
export function below({ site: { pathPrefix } }: ViewSource, html: string): string {
  return pathPrefix === ''
    ? html
    : html.replaceAll(LINKED_PATH, () => `${escapeMarkup(pathPrefix)}/`);
}
