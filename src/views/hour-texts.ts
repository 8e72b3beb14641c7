/** Caches texts by hour, for many rows of a few hundred hours. */

/** Calls `render` once for each hour since the epoch, and caches the text: some 720 hours of one snapshot. */
export function oncePerHour(render: (hour: number) => string): (hour: number) => string {
  const texts = new Map<number, string>();
  return (hour) => {
    let text = texts.get(hour);
    if (text === undefined) {
      text = render(hour);
      texts.set(hour, text);
    }
    return text;
  };
}
