/** The markup of a calendar: the hours of a month, or the days of a year. */
import { html, raw, type Markup } from '../../../html.js';
import type { Messages } from '../../../../texts/fluent-messages.js';

export interface Calendar {
  readonly title: string;
  readonly unit: string;
  readonly caption: string;
  readonly hours: readonly Markup[];
  readonly rows: readonly Markup[];
  /** Label of the last column, which only the hours of a month have. */
  readonly summaryLabel?: string;
  readonly legend: readonly Markup[];
  readonly hasGaps: boolean;
  readonly isCompass: boolean;
}

export function calendarMarkup(calendar: Calendar, label: string, texts: Messages): Markup {
  const { title, unit, caption, legend, hasGaps, isCompass, summaryLabel } = calendar;
  const isYear = summaryLabel === undefined;
  const heading = raw(isYear ? 'h2' : 'h3');
  return html`<section class="calendar-part" aria-labelledby="calendar-heading">
<div class="calendar-head">
<${heading} id="calendar-heading">${label}: ${title} <span class="unit">${unit}</span></${heading}>
${!isYear && html`<p class="calendar-readout" aria-hidden="true" data-hint="${texts('calendar-hint')}"></p>`}
</div>
<table class="calendar${isCompass && ' directions'}${isYear && ' year'}" data-unit="${unit}">
<caption>${caption}</caption>
<thead><tr><th scope="col"><span class="visually-hidden">${texts('calendar-day')}</span></th>${calendar.hours}${!isYear && html`<th scope="col" class="day-summary">${summaryLabel}</th>`}</tr></thead>
<tbody>${calendar.rows}
</tbody>
</table>
${(legend.length > 0 || hasGaps) && legendMarkup(calendar, texts)}
</section>
`;
}

function legendMarkup({ legend, hasGaps, unit }: Calendar, texts: Messages): Markup {
  return html`<ul class="legend">${legend}${hasGaps && html`<li><span class="swatch missing"></span>${texts('calendar-gap')}</li>`}${unit !== '' && legend.length > 0 && html`<li class="unit">${unit}</li>`}</ul>`;
}
