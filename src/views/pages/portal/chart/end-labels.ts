/** Names at the ends of a chart's lines, each as near to the end of its own as the others allow. */
import { estimatedWidth, fitForms } from './picture-text.js';

/** Of the longest line of a name. */
const NAME_WIDTH = 80;

/** What the names need beside the plot, with their distance from it. */
export const NAMES_WIDTH = NAME_WIDTH + 12;

const FONT_SIZE = 12;
const LINE_HEIGHT = 13;

interface Label {
  /** Place among the lines. */
  readonly index: number;
  readonly lines: readonly string[];
  /** Height of the last value; undefined where there is none. */
  readonly y: number | undefined;
}

/**
 * Labels in the order of the ends, within the height of the plot: names in two lines where all have room so, else in
 * one; none where that does not fit either. The name of a line without a value stands at the bottom after a dash.
 */
export function endLabels(
  ends: readonly (Pick<Label, 'y'> & { readonly name: string })[],
  height: number,
) {
  const labels = [2, 1]
    .map((lines) => {
      const options = { fontSize: FONT_SIZE, lines };
      return ends.map(({ name, y }, index) => {
        const dash = y === undefined ? '– ' : '';
        const width = NAME_WIDTH - estimatedWidth(dash, FONT_SIZE);
        const [first = '', ...more] = fitForms([name], { ...options, width });
        return { index, y, lines: [`${dash}${first}`, ...more] };
      });
    })
    .find((all) => heightOf(all) <= height);
  const sorted = labels?.toSorted((a, b) => (a.y ?? height) - (b.y ?? height)) ?? [];
  return topsOf(sorted, height)
    .map(({ index, lines, y, top }) => ({
      index,
      y: top.toFixed(1),
      lines: lines.map((text, at) => ({ text, y: (at + 1) * LINE_HEIGHT - 3 })),
      /** From the end of the line to the name. */
      leader:
        y === undefined ? '' : `M1,${(y - top).toFixed(1)}L7,${(lines.length * LINE_HEIGHT) / 2}`,
    }))
    .toSorted((a, b) => a.index - b.index);
}

/** Labels from above, with their upper edges: those that would cover each other stay together. */
function topsOf(labels: readonly Label[], height: number) {
  /** Where its labels are on average at the ends of their lines, but within the plot. */
  const topOf = (block: readonly Label[]): number => {
    const sum = block.reduce(
      (all, label, at) =>
        all + (label.y ?? height) - heightOf([label]) / 2 - heightOf(block.slice(0, at)),
      0,
    );
    return Math.min(Math.max(sum / block.length, 0), height - heightOf(block));
  };
  const blocks: (readonly Label[])[] = [];
  for (const label of labels) {
    let block: readonly Label[] = [label];
    let above = blocks.at(-1);
    while (above && topOf(above) + heightOf(above) > topOf(block)) {
      block = [...above, ...block];
      blocks.pop();
      above = blocks.at(-1);
    }
    blocks.push(block);
  }
  return blocks.flatMap((block) =>
    block.map((label, at) => ({ ...label, top: topOf(block) + heightOf(block.slice(0, at)) })),
  );
}

function heightOf(labels: readonly Pick<Label, 'lines'>[]): number {
  return labels.reduce((sum, { lines }) => sum + lines.length * LINE_HEIGHT, 0);
}
