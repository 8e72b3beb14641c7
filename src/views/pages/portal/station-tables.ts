/** A page with a table of all stations, with a column for each component or day. */
import type { Messages } from '../../../texts/fluent-messages.js';
import { html, type Markup } from '../../html.js';
import type { PageMarkup } from '../page.js';
import { noticeMarkup, renewalMarkup, stylesMarkup, type Layout } from './common-markup.js';

/** Largest number of rows of a page; the CSV has all rows. */
export const ROWS_MAX = 500;

interface Column {
  readonly label: string;
  readonly description?: string | undefined;
  /** Link that sorts by the column; undefined for a column without an order. */
  readonly href?: string | undefined;
  readonly direction?: 'ascending' | 'descending' | undefined;
  /** Unit of the column, or the part of a day. */
  readonly part?: string | undefined;
}

interface StationTable {
  readonly heading: string;
  readonly snapshotId: string;
  /** A warning of old data, or the notice of a demonstration: at most one of the two is set. */
  readonly warning?: string | undefined;
  readonly demonstration?: string | undefined;
  readonly facts?: Markup | undefined;
  /** The hours of the values. */
  readonly note: Markup | undefined;
  readonly csvHref: string;
  readonly columns: readonly Column[];
  /** Number of stations, of which `ROWS_MAX` are shown. */
  readonly stations: number;
  readonly rows: readonly Markup[];
}

/** A table, or the reason why it is missing. */
export type StationTablePage = { readonly title: string } & (
  | { readonly table: StationTable }
  | { readonly notice: Readonly<Record<'heading' | 'text', string>> }
);

export function stationTableMarkup(
  page: StationTablePage,
  layout: Layout,
  texts: Messages,
): PageMarkup {
  const { title } = page;
  const styles = stylesMarkup(layout);
  if ('notice' in page) return { title, head: styles, main: noticeMarkup(page.notice) };
  const { heading, warning, demonstration, note, stations, ...table } = page.table;
  const limited = stations > ROWS_MAX && texts('list-limited', { shown: ROWS_MAX });
  return {
    title,
    head: html`${styles}<script type="module" src="${layout.assets['portal-scripts.js']}"></script>
`,
    main: html`
<div class="overview-page" data-snapshot="${table.snapshotId}">
<h1>${heading}</h1>
${warning && html`<p class="warning">${warning}</p>`}
${demonstration && html`<p class="demonstration">${demonstration}</p>`}
${table.facts}<p class="freshness">${note && html`<span>${note}</span> `}<span class="tag">${texts('preliminary')}</span> <a href="${table.csvHref}" download>CSV</a></p>
${limited && html`<p class="limited">${limited}</p>`}
<div class="overview-scroll" role="region" aria-label="${heading}" tabindex="0">
<table class="overview">
<thead><tr>${table.columns.map(columnMarkup)}</tr></thead>
<tbody>${table.rows}
</tbody>
</table>
</div>
${renewalMarkup(texts)}</div>
`,
  };
}

function columnMarkup({ label, description, href, direction, part }: Column): Markup {
  const title = description && html` title="${description}"`;
  return html`<th scope="col"${direction && html` aria-sort="${direction}"`}>${href === undefined ? label : html`<a href="${href}"${title}>${label}</a>`}${part && html` <small>${part}</small>`}</th>`;
}
