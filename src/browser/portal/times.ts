/** Times on the viewer's clocks, with UTC for those who point at them; and how old the data are, to the minute. */
import type { Language } from '../../snapshot/domain/model.js';
import { HOUR_MS } from '../../snapshot/domain/windows.js';
import { LOCALES } from '../../views/messages/locales.js';

const MINUTE_MS = 60_000;
const HOUR_MINUTES = 60;

/** The server writes a display language into every page. */
const locale = LOCALES[document.documentElement.lang as Language];

const clock = new Intl.DateTimeFormat(locale, {
  ...{ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
});
const dayAndClock = new Intl.DateTimeFormat(locale, {
  ...{ day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
});
const day = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short' });
const utc = new Intl.DateTimeFormat(locale, {
  ...{ day: 'numeric', month: 'short', year: 'numeric' },
  ...{ hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone: 'UTC' },
});

/** As much of each time as it showed before. */
export function showViewersTimes(part: ParentNode): void {
  for (const time of part.querySelectorAll('time')) {
    if (time.classList.contains('age')) {
      showAge(time);
      continue;
    }
    const moment = new Date(time.dateTime);
    if (Number.isNaN(moment.getTime())) continue;
    const shown = time.textContent.trim();
    time.textContent = (/^\d\d:\d\d$/.test(shown) ? clock : dayAndClock).format(moment);
    if (time.title === '') time.title = `${utc.format(moment)} UTC`;
  }
  for (const chart of part.querySelectorAll<HTMLElement>('.chart')) moveTicks(chart);
  const zone = part.querySelector('.zone');
  const { timeZone } = clock.resolvedOptions();
  if (zone !== null) zone.textContent = zone.textContent.replace(/[^ ]+$/, timeZone);
}

/** Hours keep their places and are named anew; days begin when they do where the viewer is. */
function moveTicks(chart: HTMLElement): void {
  const from = Number(chart.dataset['from']);
  const hours = Number(chart.dataset['hours']);
  for (const label of chart.querySelectorAll<SVGTextElement>('text[data-utc]')) {
    const moment = new Date(label.dataset['utc'] ?? '');
    // Once: what is written now no longer says which of the two it was.
    delete label.dataset['utc'];
    if (Number.isNaN(moment.getTime())) continue;
    if (label.textContent.includes(':')) {
      label.textContent = clock.format(moment);
      continue;
    }
    const midnight = new Date(moment.getTime() + (24 / 2) * HOUR_MS);
    midnight.setHours(0, 0, 0, 0);
    label.textContent = day.format(midnight);
    const part = (midnight.getTime() / HOUR_MS - from) / hours;
    const x = `${part * 100}%`;
    const line = label.previousElementSibling;
    for (const [element, name] of [
      [label, 'x'],
      [line, 'x1'],
      [line, 'x2'],
    ] as const) {
      element?.setAttribute(name, x);
    }
    label.parentElement?.classList.toggle('hidden', part < 0 || part > 1);
  }
}

/** `12 minutes ago`; counted on while the page is open. */
function showAge(time: HTMLTimeElement): void {
  const published = new Date(time.dateTime).getTime();
  const ages = new Intl.RelativeTimeFormat(locale, { numeric: 'always' });
  const show = (): void => {
    const minutes = Math.max(Math.floor((Date.now() - published) / MINUTE_MS), 0);
    if (minutes < 2 * HOUR_MINUTES) time.textContent = ages.format(-minutes, 'minute');
    else if (minutes < 48 * HOUR_MINUTES) {
      time.textContent = ages.format(-Math.floor(minutes / HOUR_MINUTES), 'hour');
    } else time.textContent = ages.format(-Math.floor(minutes / HOUR_MINUTES / 24), 'day');
  };
  show();
  setInterval(show, MINUTE_MS);
}
