/** The age of the data to the minute, while a page is open: the server knows whole hours only. */
const MINUTE_MS = 60_000;
const HOUR_MINUTES = 60;

/** The server writes into every page how its language writes numbers and dates. */
const ages = new Intl.RelativeTimeFormat(document.documentElement.dataset['locale'], {
  numeric: 'always',
});

/** Shows ages below `root` such as `12 minutes ago`, and updates them while they are in the page. */
export function showAges(root: ParentNode): void {
  for (const time of root.querySelectorAll<HTMLTimeElement>('time.age')) showAge(time);
}

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
