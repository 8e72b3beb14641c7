/** The markup of the tables of all stations: their newest values, and a week of one component. */
import type { Messages } from '../../../texts/messages.js';
import { html, raw, type Markup } from '../../html.js';
import type { PageMarkup } from '../page.js';
import {
  choicesMarkup,
  momentMarkup,
  noticeMarkup,
  renewalMarkup,
  stylesMarkup,
  type Layout,
} from './common-markup.js';
import type { viewEpisode } from './episode-page.js';
import type { viewOverview } from './overview-page.js';

type Table = Exclude<
  ReturnType<typeof viewOverview> | ReturnType<typeof viewEpisode>,
  { readonly notice: object }
>;

export function tableMarkup(
  page: ReturnType<typeof viewOverview> | ReturnType<typeof viewEpisode>,
  layout: Layout,
  texts: Messages,
): PageMarkup {
  const { title } = page;
  const styles = stylesMarkup(layout);
  if (page.notice !== undefined) return { title, head: styles, main: noticeMarkup(page.notice) };
  const { heading, warning, demonstration, limited } = page;
  return {
    title,
    head: html`${styles}<script type="module" src="${layout.assets['tables.js']}"></script>
`,
    main: html`
<div class="overview-page" data-snapshot="${page.snapshotId}">
<h1>${heading}</h1>
${warning && html`<p class="warning">${warning}</p>`}
${demonstration && html`<p class="demonstration">${demonstration}</p>`}
${'facts' in page && factsMarkup(page)}<p class="freshness">${noteMarkup(page, texts)}<span class="tag">${texts('preliminary')}</span> <a href="${page.csvHref}" download>CSV</a></p>
${limited && html`<p class="limited">${limited}</p>`}
<div class="overview-scroll" role="region" aria-label="${heading}" tabindex="0">
<table class="overview">
<thead><tr>${page.columns.map(columnMarkup)}</tr></thead>
<tbody>${raw(page.rows)}
</tbody>
</table>
</div>
${renewalMarkup(texts)}</div>
`,
  };
}

function factsMarkup({ facts, choices }: Extract<Table, { readonly facts: object }>): Markup {
  return html`<div class="facts">${facts.map(({ href, text, ties }) => html`<p><a href="${href}">${text}</a>${ties && ` ${ties}`}</p>`)}</div>${choices.map(
    ({ name, label, links }) => html`
${choicesMarkup(name, label, links)}`,
  )}
`;
}

/** What the values are of: an hour, or days in a unit. */
function noteMarkup(page: Table, texts: Messages): Markup | undefined {
  if ('facts' in page) {
    const unit = page.unit !== '' && html` <strong>${page.unit}</strong>`;
    return html`<span>${texts('episode-note')}${unit}</span> `;
  }
  if (page.hour === undefined) return undefined;
  return html`<span>${texts('newest-hour')} <strong>${momentMarkup(page.hour)}</strong></span> `;
}

interface Column {
  readonly label: string;
  readonly description?: string | undefined;
  readonly href?: string | undefined;
  readonly direction?: string | undefined;
  /** A unit, or how much of a day there is. */
  readonly part?: string | undefined;
}

function columnMarkup({ label, description, href, direction, part }: Column): Markup {
  const title = description && html` title="${description}"`;
  return html`<th scope="col"${direction && html` aria-sort="${direction}"`}>${href === undefined ? label : html`<a href="${href}"${title}>${label}</a>`}${part && html` <small>${part}</small>`}</th>`;
}
