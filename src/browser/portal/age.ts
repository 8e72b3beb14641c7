/** Shows the age of the data to the minute while a page is open; the server renders whole hours. */
const MINUTE_MS = 60_000;
const HOUR_MINUTES = 60;

/** Formats ages in the locale that the page states. */
const ages = new Intl.RelativeTimeFormat(document.documentElement.dataset['locale'], {
  numeric: 'always',
});

/** Shows ages such as `12 minutes ago` in the page, and updates them every minute. */
export function keepAges(): void {
  showAges();
  setInterval(showAges, MINUTE_MS);
}

function showAges(): void {
  for (const time of document.querySelectorAll<HTMLTimeElement>('time.age')) {
    const published = new Date(time.dateTime).getTime();
    const minutes = Math.max(Math.floor((Date.now() - published) / MINUTE_MS), 0);
    const hours = Math.floor(minutes / HOUR_MINUTES);
    if (hours < 2) time.textContent = ages.format(-minutes, 'minute');
    else if (hours < 48) time.textContent = ages.format(-hours, 'hour');
    else time.textContent = ages.format(-Math.floor(hours / 24), 'day');
  }
}
