/** Renders a page in a worker, from a snapshot, settings and a state. */
import { viewLayout, type PageLocation } from '../views/pages/layout.js';
import type { PageMarkup, PageState, PageStyle } from '../views/pages/page.js';
import type { Layout } from '../views/pages/portal/common-markup.js';
import type { Portal } from '../views/pages/portal/portal-model.js';
import { escapeMarkup } from '../views/xml.js';
import { messagesOf } from '../texts/texts.js';
import type { Messages } from '../texts/fluent-messages.js';
import { renderTemplate } from '../workers/formats/templates.js';
import type { RenderPageTask } from '../workers/messages.js';
import type { OpenSnapshot } from '../workers/open-snapshot.js';
import { readPortal } from './read-portal.js';

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
  state: PageStyle,
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
  state: PageStyle,
  source: ViewSource,
): string {
  const layout = layoutOf(state, source, {});
  return below(source, renderTemplate(template, { layout, page: context }));
}

function layoutOf(
  state: PageStyle,
  source: ViewSource,
  parameters: PageLocation['parameters'],
): Layout {
  const { path, section, site } = source;
  const operator = portalOf(source)?.operators[0];
  return viewLayout(state, site, { path, parameters, section, operator });
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
