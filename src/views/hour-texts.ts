/** Texts that depend on the hour only, each made once for many rows of a few hundred different hours. */

/**
 * `render`, called once for each hour since the epoch.
 *
 * There is no limit: the hours are those of one snapshot, some 720, and the texts are gone with the renderer.
 */
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
