/** The markup of the portal: map, table of stations, and a panel. */
import { html, type Markup } from '../../html.js';
import type { Messages } from '../../../texts/fluent-messages.js';
import type { PageMarkup } from '../page.js';
import { noticeMarkup, renewalMarkup, stylesMarkup, type Layout } from './common-markup.js';
import { momentMarkup } from './formatters.js';
import { panelMarkup, type Panel } from './panel-markup.js';
import type { viewPortal } from './portal-page.js';

type Page = ReturnType<typeof viewPortal>;
type Portal = Exclude<Page, { readonly notice: object }>;
type Shown = Portal['shown'];
type Map = NonNullable<Shown['map']>;

export function portalMarkup(page: Page, layout: Layout, texts: Messages): PageMarkup {
  const styles = stylesMarkup(layout);
  if (page.notice !== undefined) {
    return { title: page.title, head: styles, main: noticeMarkup(page.notice) };
  }
  const { panel, search } = page;
  const { map } = page.shown;
  return {
    title: page.title,
    head: html`${styles}${metaMarkup(page)}<script type="module" src="${layout.assets['portal-scripts.js']}"></script>
`,
    main: html`
${dialogMarkup(panel, texts, true)}
<div class="portal${search.isSearching && ' searching'}" data-snapshot="${page.snapshotId}" data-title="${page.ownTitle}">
${introMarkup(page, texts)}
<section class="map-part" aria-label="${texts('map')}">
${map ? mapMarkup(page, map, { theme: layout.theme, texts }) : html`<p>${texts('no-positions')}</p>`}
</section>
${stationsMarkup(page, texts)}
${renewalMarkup(texts)}</div>
`,
  };
}

/** @param isOpen shows the dialog, for browsers without scripts. */
export function dialogMarkup(panel: Panel | undefined, texts: Messages, isOpen = false): Markup {
  const open = isOpen && panel && html` open`;
  return html`<dialog id="station" class="station-dialog" aria-labelledby="station-name"${open}>${panel && panelMarkup(panel, texts)}</dialog>`;
}

/** The `<meta>` elements for search engines and link previews. */
function metaMarkup({ title, description, panel }: Portal): Markup {
  const preview = panel?.chosen?.share.preview;
  const about = panel?.chosen?.chartLabel ?? panel?.notMeasured ?? description;
  return html`<meta name="description" content="${description}">
<meta property="og:type" content="website">
<meta property="og:title" content="${title}">
<meta property="og:description" content="${about}">
${
  preview &&
  html`<meta property="og:url" content="${preview.url}">
<meta property="og:image" content="${preview.image}">
<meta property="og:image:type" content="image/png">
<meta property="og:image:width" content="${preview.width}">
<meta property="og:image:height" content="${preview.height}">
<meta property="og:image:alt" content="${preview.alt}">
<meta name="twitter:card" content="summary_large_image">
`
}`;
}

function introMarkup(page: Portal, texts: Messages): Markup {
  const { shown, freshness } = page;
  const { warning, demonstration, measuredUntil, published } = freshness;
  const isCurrent = demonstration === undefined;
  return html`<div class="intro">
<div class="intro-head">
<div class="heading"><h1>${shown.heading}</h1>
${shown.description && html`<p class="description">${shown.description}</p>`}</div>
${warning && html`<p class="warning">${warning}</p>`}
${demonstration && html`<p class="demonstration">${demonstration}</p>`}
<p class="freshness">${measuredUntil && html`<span>${texts('measured-until')} <strong>${momentMarkup(measuredUntil)}</strong>${isCurrent && ','}</span> `}${isCurrent && html`<span>${texts('published')} <time class="age" datetime="${published.iso}" title="${published.text} (${published.utc})">${freshness.age}</time></span>`}
<span class="tag">${texts('preliminary')}</span> <span class="note">${shown.hourly}. <span class="zone">${page.zone}</span></span>
</p>
</div>
${searchMarkup(page, texts)}
<nav class="chips components" aria-label="${texts('pick-component')}">${page.components}
</nav>
</div>`;
}

function searchMarkup({ search }: Portal, texts: Messages): Markup {
  const near = html`
<button type="button" class="locate" data-near-me="${texts('near-me')}" data-near-point="${texts('near-point')}" data-failed="${texts('location-failed')}" hidden>${texts('use-location')}</button>`;
  return html`<form class="search" action="/" method="get" role="search" data-unknown="${texts('unknown-station')}"${search.isPartial && html` data-partial`}${search.townsHref && html` data-towns="${search.townsHref}"`}>
<div class="search-state" hidden>${search.hidden}</div>
<label for="search" class="visually-hidden">${texts('search')}</label>
<input id="search" type="search" name="q" value="${search.text}" placeholder="${texts('search-hint')}" autocomplete="off" maxlength="64">
<button type="submit">${texts('find')}</button>${search.hasMap && near}
</form>`;
}

interface Surroundings {
  readonly theme: Layout['theme'];
  readonly texts: Messages;
}

function mapMarkup({ shown }: Portal, map: Map, { theme, texts }: Surroundings): Markup {
  const image = (href: string): Markup =>
    html`<img src="${href}" alt="" width="${map.width}" height="${map.height}">`;
  const { light, dark } = map.imageHrefs;
  const source = html`<source media="(prefers-color-scheme: dark)" srcset="${dark}">`;
  const label = [texts('legend'), ...(shown.unit === '' ? [] : [shown.unit])].join(', ');
  const { windLink, credit } = shown;
  return html`<a class="skip" href="#stations">${texts('skip-map')}</a>
<div class="map${map.isTall && ' tall'}" data-bounds="${map.bounds}" data-apart="${map.apart}">
<div class="map-inner">
<picture>${theme === 'auto' && source}${image(theme === 'dark' ? dark : light)}</picture>
<svg class="map-overlay" role="group" aria-label="${texts('map')}">
<g class="towns" aria-hidden="true">${map.towns}</g>${map.markers}</svg>
</div>
</div>
<div class="map-controls" hidden>
<button type="button" data-zoom="in" aria-label="${texts('zoom-in')}"><svg viewBox="0 0 16 16" aria-hidden="true"><path d="M8 3v10M3 8h10"/></svg></button>
<button type="button" data-zoom="out" aria-label="${texts('zoom-out')}"><svg viewBox="0 0 16 16" aria-hidden="true"><path d="M3 8h10"/></svg></button>
<button type="button" data-zoom="reset" aria-label="${texts('zoom-reset')}"><svg viewBox="0 0 16 16" aria-hidden="true"><path d="M3 6V3h3M10 3h3v3M13 10v3h-3M6 13H3v-3"/></svg></button>
</div>
<div class="map-times">
<form class="map-days" action="/" method="get">${shown.stateFields}
<label for="day">${texts('map-day')}</label>
<select id="day" name="hour">${shown.days}</select>
<button type="submit">${texts('show')}</button>
</form>
${hoursMarkup(shown, texts)}
</div>
<div class="map-foot">
<ul class="legend" aria-label="${label}">${legendMarkup(shown, map, texts)}</ul>
${windLink && html`<p class="wind-link"><a href="${windLink.href}">${windLink.text}</a></p>`}
${map.limited && html`<p class="limited">${map.limited}</p>`}
${credit && html`<p class="credit">${credit}</p>`}
</div>`;
}

function hoursMarkup({ hours, stateFields, unit }: Shown, texts: Messages): Markup | undefined {
  if (hours === undefined) return undefined;
  return html`<form class="map-hours" action="/" method="get">${stateFields}
<label for="hour">${texts('map-hour')}</label>
<select id="hour" name="hour">${hours.choices}</select>
<button type="submit">${texts('show')}</button>
<button type="button" id="play-hours" data-play aria-label="${texts('map-play')}"><svg viewBox="0 0 16 16" aria-hidden="true"><path d="M4 2.5v11l9-5.5z"/></svg></button>
<input id="hour-slider" type="range" min="0" max="${hours.last}" value="${hours.chosen}" step="1" aria-label="${texts('map-hour')}" aria-valuetext="${hours.text}" data-unit="${unit}">
<output for="hour">${hours.text}</output>
</form>`;
}

function legendMarkup({ unit }: Shown, map: Map, texts: Messages): Markup {
  const wind = (shape: string): Markup =>
    html`<li class="wind"><svg viewBox="-8 -8 16 16" aria-hidden="true"><path class="${shape}" d="M0,7V-7M-4,-2.5 0,-7 4,-2.5"/></svg>${texts('wind-meaning')}</li>`;
  const ring = (name: string, radius: string, text: string): Markup =>
    html`<li class="${name}"><svg viewBox="0 0 16 16" aria-hidden="true"><circle cx="8" cy="8" r="${radius}"/></svg>${text}</li>`;
  return html`${map.legend}${map.isCompass ? wind('arrow') : unit !== '' && html`<li class="unit">${unit}</li>`}${map.hasWind && wind('blow')}${map.notMeasuring && ring('unmeasured', '5.5', map.notMeasuring)}${map.hasLate && ring('late', '6.5', texts('late-meaning'))}`;
}

function stationsMarkup({ shown, search }: Portal, texts: Messages): Markup {
  const { summary, columns, others } = shown;
  const heads = columns.map(
    ({ name, label, href, title, isCurrent, direction }) =>
      html`<th scope="col" class="${name}"${isCurrent && html` aria-sort="${direction}"`}>${href === undefined ? label : html`<a href="${href}" title="${title}">${label}</a>`}</th>`,
  );
  return html`<section class="table-part" id="stations" tabindex="-1" aria-labelledby="stations-heading">
${summary && summaryMarkup(shown, summary, texts)}
<div class="table-head">
<h2 id="stations-heading">${texts('stations')}</h2>
<p class="found" role="status" data-found="${search.foundText}" data-none="${texts('nothing-found')}" data-near="${search.nearText}">${search.found}</p>
<a class="button show-all" href="${search.clearHref}">${texts('clear')}</a>
</div>
${search.limited && html`<p class="limited">${search.limited}</p>`}
<table class="stations">
<caption class="visually-hidden">${shown.heading}</caption>
<thead><tr>${heads}</tr></thead>
<tbody>${shown.rows}
</tbody>${
    others &&
    html`
<tbody class="others"${others.isHidden && html` hidden`}>
<tr class="others-head"><th scope="rowgroup" colspan="4">${others.text}</th></tr>${others.rows}
</tbody>`
  }
</table>
</section>`;
}

/** The comparison of one hour's values. */
function summaryMarkup(
  { missingHour, newestHref, chosenHour }: Shown,
  summary: NonNullable<Shown['summary']>,
  texts: Messages,
): Markup {
  const hour =
    missingHour === undefined
      ? html`${texts(chosenHour ? 'chosen-hour' : 'newest-hour')} <strong>${momentMarkup(summary.hour)}</strong> <span>${summary.compared}</span>`
      : html`${missingHour} <a href="${newestHref}">${texts('map-last-day')}</a>`;
  const extreme = (name: 'highest' | 'lowest', { color, value, href, ...of }: Extreme): Markup =>
    html`<div><dt>${texts(name)}</dt><dd><span class="swatch ${color}"></span><b>${value}</b> <a href="${href}">${of.name}</a>${of.others && html` <small>${of.others}</small>`}</dd></div>`;
  const values =
    'highest' in summary
      ? html`${extreme('highest', summary.highest)}
<div><dt>${texts('median')}</dt><dd><span class="swatch ${summary.median.color}"></span><b>${summary.median.value}</b></dd></div>
${extreme('lowest', summary.lowest)}`
      : 'prevailing' in summary &&
        summary.prevailing &&
        html`<div><dt>${texts('prevailing')}</dt><dd><b>${summary.prevailing}</b></dd></div>`;
  return html`<p class="newest-hour">${hour}</p>
<dl class="summary">
${values}
</dl>`;
}

type Extreme = Readonly<Record<'color' | 'value' | 'href' | 'name', string>> & {
  readonly others: string | undefined;
};
