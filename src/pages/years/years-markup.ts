/** The markup of the page of a station's years. */
import type { Messages } from '../../texts/fluent-messages.js';
import { html, type Markup } from '../../views/html.js';
import type { PageMarkup } from '../../views/pages/page.js';
import { calendarMarkup } from '../../views/pages/portal/chart/calendar-markup.js';
import { plotMarkup } from '../../views/pages/portal/chart/plot-markup.js';
import {
  choicesMarkup,
  noticeMarkup,
  stylesMarkup,
  type Layout,
} from '../../views/pages/portal/common-markup.js';
import type { viewYears } from './years-page.js';

type Page = ReturnType<typeof viewYears>;
type Year = NonNullable<Exclude<Page, { readonly notice: object }>['shown']>;

export function yearsMarkup(page: Page, layout: Layout, texts: Messages): PageMarkup {
  const { title } = page;
  const head = stylesMarkup(layout);
  if (page.notice !== undefined) return { title, head, main: noticeMarkup(page.notice) };
  const { sentence, note, years, components, ended, stationHref, shown } = page;
  return {
    title,
    head,
    main: html`
<div class="overview-page years-page">
<h1>${title}</h1>
<p class="facts">${sentence}</p>
${choicesMarkup('years', texts('years'), years)}
${choicesMarkup('components', texts('pick-component'), components)}
<p class="freshness">${stationHref && html`<a href="${stationHref}">${texts('years-station')}</a> `}<span class="tag">${texts('preliminary')}</span> <span>${note}</span></p>
${shown && yearMarkup(shown, `${title}. ${sentence}`, texts)}
${
  ended.length > 0 &&
  html`<details>
<summary>${texts('years-ended')}</summary>
${choicesMarkup('stations-ended', texts('years-ended'), ended)}
</details>`
}
</div>
`,
  };
}

/** @param said description of the chart for screen readers. */
function yearMarkup(year: Year, said: string, texts: Messages): Markup {
  const { name, step, plot, calendar, csvHref } = year;
  const title = texts(`years-rows-${name}`, { step });
  const band =
    plot !== undefined && plot.usual !== '' && html`<path class="usual" d="M0,1h34v10h-34z"/>`;
  return html`<div class="chart${plot?.hasLongLabels && ' long-labels'}">
<svg class="plot" height="${plot?.height}" role="img" aria-label="${said}">${plot && plotMarkup(plot)}</svg>
</div>
<p class="chart-says"><svg class="sample s1" viewBox="0 0 34 12" aria-hidden="true">${band}<path class="line" d="M1,6h32"/></svg> ${texts(`years-line-${name}`, { step })}${calendar.unit !== '' && html` <b>${calendar.unit}</b>`}</p>
${calendarMarkup(calendar, year.label, texts)}
<details class="days">
<summary>${title}</summary>
<div class="overview-scroll" role="region" aria-label="${title}" tabindex="0">
<table><thead><tr><th scope="col">${texts('years-step', { step })}</th><th scope="col">${texts(name)}</th><th scope="col">${texts('lowest')}</th><th scope="col">${texts('highest')}</th><th scope="col">${texts('days-hours')}</th></tr></thead>
<tbody>${year.rows}
</tbody></table>
</div>
</details>
<div class="chart-foot">
<p class="downloads"><span>${texts('download')}</span> <a class="button" href="${csvHref}" download>CSV</a></p>
<p class="api"><span>${texts('api-call')}</span> <a href="${csvHref}"><code>GET ${csvHref}</code></a></p>
</div>`;
}
