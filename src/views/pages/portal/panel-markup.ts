/** The markup of a station's panel. */
import { html, type Markup } from '../../html.js';
import type { Messages } from '../../../texts/fluent-messages.js';
import { calendarMarkup } from './chart/calendar-markup.js';
import { plotMarkup } from './chart/plot-markup.js';
import { choicesMarkup } from './common-markup.js';
import { momentMarkup } from './formatters.js';
import type { viewNewest } from './newest-value.js';
import type { viewModal } from './portal-page.js';

export type Panel = NonNullable<ReturnType<typeof viewModal>['panel']>;
type Chosen = NonNullable<Panel['chosen']>;
type Newest = NonNullable<ReturnType<typeof viewNewest>>;

const CLOSE = html`<svg viewBox="0 0 16 16" aria-hidden="true"><path d="M3.5 3.5l9 9M12.5 3.5l-9 9"/></svg>`;

export function panelMarkup(panel: Panel, texts: Messages): Markup {
  const { warning, demonstration } = panel;
  return html`<div class="panel" data-snapshot="${panel.snapshotId}" data-title="${panel.title}">
<header class="panel-head">
<div>
<h2 id="station-name" tabindex="-1">${panel.name}</h2>
<p class="facts">${!panel.isActive && html`<strong>${texts('inactive')}</strong> `}${panel.facts.map((fact) => html`<span>${fact}</span> `)}<span class="code">${panel.code}</span></p>
</div>
<a class="close" href="${panel.closeHref}" aria-label="${texts('close')}">${CLOSE}</a>
</header>
${warning && html`<p class="warning">${warning}</p>`}${demonstration && html`<p class="demonstration">${demonstration}</p>`}${
    panel.cards.length === 0
      ? html`
<p class="no-points">${texts('no-components')}</p>`
      : componentsMarkup(panel, texts)
  }
<p class="print-credit">${panel.credit}</p>
</div>
`;
}

function componentsMarkup(panel: Panel, texts: Messages): Markup {
  const { chosen, notMeasured, meanings } = panel;
  const about = html`<details class="meanings">
<summary>${texts('about')}</summary>${meanings.map(
    (meaning) => html`
<p>${meaning}</p>`,
  )}
</details>`;
  return html`${
    notMeasured &&
    html`
<p class="no-points">${notMeasured}</p>`
  }${chosen && chartMarkup(panel, chosen, texts)}${meanings.length > 0 && about}<section aria-labelledby="all-heading">
<h3 id="all-heading">${texts('all-components')}</h3>
<ul class="cards">${panel.cards}
</ul>
</section>${chosen && monthMarkup(chosen, texts)}${chosen && filesMarkup(chosen, texts)}`;
}

function chartMarkup({ windows }: Panel, chosen: Chosen, texts: Messages): Markup {
  const { label, description, newest, yearsHref, period, rows, earlierHref } = chosen;
  const years = yearsHref ? [{ label: texts('years'), href: yearsHref, isCurrent: false }] : [];
  return html`
<section class="chart-part" id="chart" aria-labelledby="chart-heading">
<div><h3 id="chart-heading" tabindex="-1">${label}${description && html` <span class="description">${description}</span>`}</h3>
${newest && newestMarkup(newest, texts)}</div>
<div>${choicesMarkup('windows', texts('pick-window'), [...windows, ...years])}
${plotPart(chosen, texts)}
${rows.length === 0 && html`<p class="no-points">${period.noPoints}</p>`}
${earlierHref && html`<p><a href="${earlierHref}">${texts('period-archive')}</a></p>`}
${chosen.hasSummaries && saidMarkup(chosen)}
${comparisonMarkup(chosen, texts)}
</div></section>`;
}

function newestMarkup(newest: Newest, texts: Messages): Markup {
  const { usual, hour, color, colorName } = newest;
  return html`<div class="newest">
<p class="newest-value${!newest.isCurrent && ' old'}">${color && html`<span class="swatch ${color}"></span>`}<b>${newest.value}</b> ${newest.unit}${colorName && html` <span class="tag">${colorName}</span>`}</p>
<p class="value-hour">${momentMarkup(hour)}${newest.isLate && html` <span class="late">${texts('late')}</span>`} <span class="tag">${texts('preliminary')}</span></p>${usual && usualMarkup(usual)}${
    newest.sentence !== '' &&
    html`
<p>${newest.sentence}</p>`
  }
</div>
`;
}

function usualMarkup({ text, rule, range }: NonNullable<Newest['usual']>): Markup {
  return html`
<p class="usual-now"><strong>${text}</strong>${rule && html` <svg aria-hidden="true"><rect y="2" width="100%" height="4"/><rect class="range" x="${rule.from}" width="${rule.width}" height="8"/><circle cx="${rule.at}" cy="4" r="4"/></svg>`} ${range}</p>`;
}

function plotPart(chosen: Chosen, texts: Messages): Markup | undefined {
  const { plot } = chosen;
  if (plot === undefined) return undefined;
  const cursor = chosen.series.map((_, index) => html`<circle class="s${index + 1}" r="4.5"/>`);
  return html`<div class="chart${chosen.isCompared && ' comparing'}${plot.hasLongLabels && ' long-labels'}" data-from="${chosen.fromHour}" data-hours="${chosen.hours}" data-unit="${chosen.unit}" data-low="${plot.low}" data-high="${plot.high}">
<svg class="plot" height="${plot.height}" role="img" aria-label="${chosen.chartLabel}">${plotMarkup(plot)}<g class="cursor hidden"><line y2="${plot.height}"/>${cursor}</g>
<rect class="selection" width="0" height="${plot.height}"/>
</svg>
<p class="readout" aria-hidden="true"></p>
<p class="chart-help" id="chart-help">${texts('chart-help')}</p>
</div>`;
}

/** The sentences about the chart. */
function saidMarkup(chosen: Chosen): Markup {
  const { period, rows, series, isCompared, isDirection, usualKey } = chosen;
  const shape = isDirection
    ? html`<path class="dots" d="M6,6h0m11,0h0m11,0h0"/>`
    : html`<path class="line" d="M1,6h32"/>`;
  const named = (name: string | undefined, index: number): Markup =>
    html`<svg class="sample s${index + 1}" viewBox="0 0 34 12" aria-hidden="true">${shape}</svg> <b>${name}</b>: `;
  return html`<div class="chart-says">${period.missing && rows.length > 0 && html`<p>${period.missing}</p>`}${series.map(
    ({ name, summary }, index) => html`
<p>${isCompared && named(name, index)}${summary}</p>`,
  )}${
    period.onMap &&
    html`
<p><a href="${period.onMap.href}">${period.onMap.text}</a></p>`
  }${
    usualKey &&
    html`
<p><svg class="sample" viewBox="0 0 34 12" aria-hidden="true"><path class="usual" d="M0,1h34v10h-34z"/></svg> ${usualKey}</p>`
  }
</div>`;
}

function comparisonMarkup({ comparison }: Chosen, texts: Messages): Markup | undefined {
  if (comparison === undefined) return undefined;
  const { groups, choices, hidden, isFull, clearHref } = comparison;
  const form = html`
<form action="/" method="get">${hidden}
<label for="compare">${texts('compare-other')}</label>
<select id="compare" name="compare">
<option value="">–</option>${choices}
</select>
<button type="submit">${texts('compare')}</button>
</form>`;
  return html`<div class="compare">${groups.map(
    (group, index) => html`
<nav class="chips" aria-label="${group.label}"><span>${group.label}</span>${group.choices.map(
      (one) => html`
<a id="compare-${one.key}" href="${one.href}"${one.isCompared && html` aria-current="true"`}>${one.name}</a>`,
    )}
</nav>${index === 0 && choices.length > 0 && form}`,
  )}${
    isFull &&
    html`
<p>${texts('compare-full')}</p>`
  }${
    clearHref &&
    html`
<a href="${clearHref}">${texts('compare-end')}</a>`
  }
</div>`;
}

/** Calendar, days and rose of the longest window. */
function monthMarkup(chosen: Chosen, texts: Messages): Markup {
  const { calendar, days, rose, label } = chosen;
  return html`${calendar && calendarMarkup(calendar, label, texts)}${days.length > 0 && daysMarkup(chosen, texts)}${rose && roseMarkup(rose, texts)}`;
}

function daysMarkup({ days, daysTitle, daysHref, aggregate }: Chosen, texts: Messages): Markup {
  return html`<details class="days">
<summary>${daysTitle}</summary>
<p>${texts('days-more')} <a class="button" href="${daysHref}" download>CSV</a></p>
<table><thead><tr><th scope="col">${texts('calendar-day')}</th><th scope="col">${aggregate}</th><th scope="col">${texts('lowest')}</th><th scope="col">${texts('highest')}</th><th scope="col">${texts('days-hours')}</th></tr></thead>
<tbody>${days}
</tbody></table>
</details>`;
}

function roseMarkup(rose: NonNullable<Chosen['rose']>, texts: Messages): Markup {
  const { rings, petals, points, hasMeans } = rose;
  return html`<section class="rose-part" aria-labelledby="rose-heading">
<h3 id="rose-heading">${rose.title}</h3>
<div class="rose">
<svg viewBox="-92 -92 184 184" aria-hidden="true">${rings.map((ring) => html`<circle r="${ring}"/>`)}${petals.map((petal) => html`<path d="${petal}"/>`)}${points.map(({ x, y, name }) => html`<text x="${x}" y="${y}">${name}</text>`)}</svg>
<div>
<p>${rose.sentence}</p>
<p>${rose.scale} ${rose.coverage}</p>
<details><summary>${texts('table')}</summary>
<table><thead><tr><th scope="col">${texts('rose-from')}</th>${hasMeans && html`<th scope="col">${texts('mean')}</th>`}<th scope="col">${texts('rose-share')}</th></tr></thead>
<tbody>${rose.rows.map(
    (row) => html`
<tr><th scope="row">${row.name}</th>${hasMeans && html`<td>${row.mean}</td>`}<td>${row.share}</td></tr>`,
  )}
</tbody></table></details>
</div>
</div>
</section>`;
}

function filesMarkup(chosen: Chosen, texts: Messages): Markup {
  const { share, citation, period } = chosen;
  return html`<section class="files-part" aria-labelledby="files-heading">
<h3 id="files-heading">${texts('files')}</h3>${chosen.rows.length > 0 && valuesMarkup(chosen, texts)}
<details class="share">
<summary>${texts('share')}</summary>
<p>${period.sharing.text} <a href="${period.sharing.href}">${period.sharing.other}</a></p>
${copied('share-page', share.pageUrl, texts)}
${copied('share-image', share.imageCode, texts)}${
    citation &&
    html`
${copied('share-citation', citation, texts)}`
  }
<p><a class="button" href="${share.imageHref}" download="chart.svg">${texts('download-picture')}</a> <a class="button" href="${share.pngHref}" download="${share.pngName}">${texts('download-png')}</a></p>
</details>
</section>`;
}

/** A text to copy, named after its message. */
function copied(name: string, text: string, texts: Messages): Markup {
  return html`<p><label for="${name}">${texts(name)}</label><span class="copied-text"><input id="${name}" type="text" readonly value="${text}"> <button type="button" class="copy" data-done="${texts('copied')}" hidden>${texts('copy-text')}</button></span></p>`;
}

function valuesMarkup(chosen: Chosen, texts: Messages): Markup {
  const { downloads, workbook, apiHref, gapsText, series, isCompared, label, unit } = chosen;
  const heads = series.map(
    ({ name }) =>
      html`<th scope="col"${isCompared && html` data-name="${name}"`}>${isCompared ? name : label}${unit !== '' && ` (${unit})`}</th>`,
  );
  return html`
<div class="chart-foot">
<p class="downloads"><span>${texts('download')}</span>${downloads.map((file) => html` <a class="button" href="${file.href}" title="${file.title}" download>${file.label}</a>`)}</p>${
    workbook &&
    html`
<p class="downloads"><a class="button" href="${workbook.href}" download="${workbook.name}.xlsx">${texts(workbook.isCompared ? 'workbook-compared' : 'workbook')}</a> <a href="${workbook.csvHref}" download="${workbook.name}.csv">${texts('wide-csv')}</a></p>`
  }
<p class="api"><span>${texts('api-call')}</span> <a href="${apiHref}"><code>GET ${apiHref}</code></a> <button type="button" class="copy" data-done="${texts('copied')}" hidden>${texts('copy')}</button></p>
</div>
<details class="values">
<summary>${texts('table')}${gapsText && html` <small>${gapsText}</small>`}</summary>
<table><thead><tr><th scope="col">${texts('table-time')}</th><th scope="col">UTC</th>${heads}</tr></thead>
<tbody>${chosen.rows}
</tbody></table>
</details>`;
}
