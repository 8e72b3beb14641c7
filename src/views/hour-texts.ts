/** Caches texts by hour: the many rows of a snapshot share a few hundred hours. */

/** Makes `render` run once for each hour since the epoch: a snapshot has some 720 of them. */
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
