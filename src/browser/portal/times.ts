/** Shows times in the viewer's time zone, with UTC in their titles, and the age of the data to the minute. */
import { HOUR_MS } from '../../snapshot/domain/windows.js';

const MINUTE_MS = 60_000;
const HOUR_MINUTES = 60;

/** The server writes into every page how its language writes dates. */
const { locale } = document.documentElement.dataset;

const DAY = { day: 'numeric', month: 'short' } as const;
const DATE = { ...DAY, year: 'numeric' } as const;
const TIME = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;

const clock = new Intl.DateTimeFormat(locale, TIME);
const dayAndClock = new Intl.DateTimeFormat(locale, { ...DAY, ...TIME });
const whole = new Intl.DateTimeFormat(locale, { ...DATE, ...TIME });
const day = new Intl.DateTimeFormat(locale, DAY);
const dayAndYear = new Intl.DateTimeFormat(locale, DATE);
const utc = new Intl.DateTimeFormat(locale, { ...DATE, ...TIME, timeZone: 'UTC' });
const ages = new Intl.RelativeTimeFormat(locale, { numeric: 'always' });

/** Replaces every time below `root`; a time without a date remains without one. */
export function showViewersTimes(root: ParentNode): void {
  for (const time of root.querySelectorAll('time')) {
    if (time.classList.contains('age')) {
      showAge(time);
      continue;
    }
    const moment = new Date(time.dateTime);
    if (Number.isNaN(moment.getTime())) continue;
    const shown = time.textContent.trim();
    const dated = isThisYear(moment) ? dayAndClock : whole;
    time.textContent = (/^\d\d:\d\d$/.test(shown) ? clock : dated).format(moment);
    if (time.title === '') time.title = `${utc.format(moment)} UTC`;
  }
  for (const chart of root.querySelectorAll<HTMLElement>('.chart')) moveTicks(chart);
  const zone = root.querySelector('.zone');
  const { timeZone } = clock.resolvedOptions();
  if (zone !== null) zone.textContent = zone.textContent.replace(/[^ ]+$/, timeZone);
}

/** A date of another year is written with its year. */
function isThisYear(moment: Date): boolean {
  return moment.getFullYear() === new Date().getFullYear();
}

/** Ticks at hours get other labels; ticks at days move to the viewer's midnight. */
function moveTicks(chart: HTMLElement): void {
  const from = Number(chart.dataset['from']);
  const hours = Number(chart.dataset['hours']);
  for (const [index, label] of chart.querySelectorAll<SVGTextElement>('text[data-utc]').entries()) {
    const moment = new Date(label.dataset['utc'] ?? '');
    // A tick is moved only once: its new label does not say whether it was of an hour or a day.
    delete label.dataset['utc'];
    if (Number.isNaN(moment.getTime())) continue;
    if (label.textContent.includes(':')) {
      label.textContent = clock.format(moment);
      continue;
    }
    const midnight = new Date(moment.getTime() + (24 / 2) * HOUR_MS);
    midnight.setHours(0, 0, 0, 0);
    label.textContent = (index === 0 && !isThisYear(midnight) ? dayAndYear : day).format(midnight);
    const share = (midnight.getTime() / HOUR_MS - from) / hours;
    const x = `${share * 100}%`;
    label.setAttribute('x', x);
    for (const name of ['x1', 'x2']) label.previousElementSibling?.setAttribute(name, x);
    label.parentElement?.classList.toggle('hidden', share < 0 || share > 1);
  }
}

/** Shows an age such as `12 minutes ago`, and updates it while the page is open. */
function showAge(time: HTMLTimeElement): void {
  const published = new Date(time.dateTime).getTime();
  const show = (): void => {
    const minutes = Math.max(Math.floor((Date.now() - published) / MINUTE_MS), 0);
    const hours = Math.floor(minutes / HOUR_MINUTES);
    if (hours < 2) time.textContent = ages.format(-minutes, 'minute');
    else if (hours < 48) time.textContent = ages.format(-hours, 'hour');
    else time.textContent = ages.format(-Math.floor(hours / 24), 'day');
  };
  show();
  const showing = setInterval(() => {
    if (time.isConnected) show();
    else clearInterval(showing);
  }, MINUTE_MS);
}
