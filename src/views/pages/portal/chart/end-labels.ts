/** Names at the ends of a chart's lines, each as near to the end of its own as the others allow. */
import { wrapText } from './picture-text.js';

/** Of the longest line of a name. */
const NAME_WIDTH = 80;

/** What the names need beside the plot, with their distance from it. */
export const NAMES_WIDTH = NAME_WIDTH + 12;

const FONT_SIZE = 12;
const LINE_HEIGHT = 13;

interface LineEnd {
  readonly name: string;
  /** Height of the last value; undefined where there is none. */
  readonly y: number | undefined;
}

interface Placed extends LineEnd {
  /** Place among the lines. */
  readonly index: number;
  readonly lines: readonly string[];
  readonly height: number;
}

/** Labels that touch, as one. */
interface Block {
  readonly labels: readonly Placed[];
  readonly top: number;
  readonly height: number;
}

/**
 * Labels in the order of the ends, within the height of the plot: names in two lines where all have room so, else in
 * one; none where that does not fit either. The name of a line without a value stands at the bottom after a dash.
 */
export function endLabels(ends: readonly LineEnd[], height: number) {
  const fitting = [2, 1]
    .map((lines) => ends.map((end, index) => labelOf(end, index, lines)))
    .find((labels) => heightOf(labels) <= height);
  return (fitting === undefined ? [] : apart(fitting, height))
    .flatMap(({ labels, top }) =>
      labels.map(({ index, lines, y, height: own }, at) => {
        const labelTop = top + heightOf(labels.slice(0, at));
        return {
          index,
          y: labelTop.toFixed(1),
          lines: lines.map((text, line) => ({ text, y: (line + 1) * LINE_HEIGHT - 3 })),
          /** From the end of the line to the name. */
          leader: y === undefined ? '' : `M1,${(y - labelTop).toFixed(1)}L7,${own / 2}`,
        };
      }),
    )
    .toSorted((a, b) => a.index - b.index);
}

function labelOf({ name, y }: LineEnd, index: number, most: number): Placed {
  const text = y === undefined ? `– ${name}` : name;
  const lines = wrapText(text, { width: NAME_WIDTH, fontSize: FONT_SIZE, lines: most });
  return { name, y, index, lines, height: lines.length * LINE_HEIGHT };
}

/** From above; blocks that would cover each other become one. */
function apart(labels: readonly Placed[], height: number): readonly Block[] {
  const blocks: Block[] = [];
  for (const label of labels.toSorted((a, b) => (a.y ?? height) - (b.y ?? height))) {
    let block = blockOf([label], height);
    for (
      let last = blocks.at(-1);
      last && last.top + last.height > block.top;
      last = blocks.at(-1)
    ) {
      block = blockOf([...last.labels, ...block.labels], height);
      blocks.pop();
    }
    blocks.push(block);
  }
  return blocks;
}

/** Where its labels are on average at the ends of their lines, but within the plot. */
function blockOf(labels: readonly Placed[], height: number): Block {
  const own = heightOf(labels);
  const tops = labels.map(
    (label, at) => (label.y ?? height) - label.height / 2 - heightOf(labels.slice(0, at)),
  );
  const mean = tops.reduce((sum, top) => sum + top, 0) / tops.length;
  return { labels, top: Math.min(Math.max(mean, 0), height - own), height: own };
}

function heightOf(labels: readonly Placed[]): number {
  return labels.reduce((sum, { height }) => sum + height, 0);
}
