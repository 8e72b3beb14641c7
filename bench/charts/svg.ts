/** Charts as SVG that stands alone: labels are text, colours follow the reader's light or dark scheme, nothing runs. */
import { scaleLinear, scaleLog } from 'd3-scale';

const WIDTH = 860;
const LABEL_WIDTH = 380;
const VALUE_WIDTH = 190;
const ROW_HEIGHT = 22;
const TOP = 34;
const BOTTOM = 26;
const PLOT_END = WIDTH - VALUE_WIDTH;

const STYLE = `
  text { font: 12px system-ui, sans-serif; fill: #1b1f24; }
  .title { font-weight: 600; font-size: 14px; }
  .axis { fill: #57606a; font-size: 11px; }
  .grid { stroke: #d0d7de; }
  .mark { stroke: #1b1f24; stroke-width: 1.5; }
  .good { fill: #1f6feb; } .bad { fill: #c2410c; } .range { stroke: #57606a; stroke-width: 2; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; } .axis { fill: #9aa4af; } .grid { stroke: #30363d; }
    .mark { stroke: #e6edf3; } .good { fill: #58a6ff; } .bad { fill: #fb923c; } .range { stroke: #9aa4af; }
  }`;

export interface Bar {
  readonly label: string;
  /** Beside the bar. */
  readonly value: string;
  readonly length: number;
  /** The ends of the whisker. */
  readonly from: number;
  readonly to: number;
  readonly isGood: boolean;
}

/** Horizontal bars from 0 on, with a whisker each and one vertical line at 1. */
export function barChart(title: string, axis: string, bars: readonly Bar[]): string {
  const longest = Math.max(1, ...bars.map(({ length, to }) => Math.max(length, to)));
  const x = scaleLinear([0, longest], [LABEL_WIDTH, PLOT_END]).nice();
  const rows = bars.map((bar, at) => {
    const y = yOf(at);
    const kind = bar.isGood ? 'good' : 'bad';
    return `${label(bar.label, y)}
<rect class="${kind}" x="${x(0)}" y="${y - 6}" width="${round(x(bar.length) - x(0))}" height="12"/>
<line class="range" x1="${round(x(bar.from))}" x2="${round(x(bar.to))}" y1="${y}" y2="${y}"/>
${valueText(bar.value, y)}`;
  });
  const mark = `<line class="mark" x1="${round(x(1))}" x2="${round(x(1))}" y1="${TOP - 6}" y2="${yOf(bars.length) - 8}"/>`;
  const ticks = x.ticks(5).map((tick): Tick => ({ x: x(tick), text: String(tick) }));
  return chart(title, axis, { ticks, rows: [...rows, mark], count: bars.length });
}

export interface Range {
  readonly label: string;
  readonly value: string;
  readonly from: number;
  readonly to: number;
}

/** Lines from one number to another on a logarithmic scale, with a dot at each end. */
export function rangeChart(title: string, axis: string, ranges: readonly Range[]): string {
  const ends = ranges.flatMap(({ from, to }) => [from, to]).filter((end) => end > 0);
  const domain = [Math.min(...ends), Math.max(...ends)];
  const x = scaleLog(domain, [LABEL_WIDTH + 6, PLOT_END - 6]).nice();
  const rows = ranges.map(({ label: name, value, from, to }, at) => {
    const y = yOf(at);
    const [start, end] = [round(x(from)), round(x(to))];
    return `${label(name, y)}
<line class="range" x1="${start}" x2="${end}" y1="${y}" y2="${y}"/>
<circle class="good" cx="${start}" cy="${y}" r="4"/>
<circle class="bad" cx="${end}" cy="${y}" r="4"/>
${valueText(value, y)}`;
  });
  const ticks = x
    .ticks()
    .filter((tick) => Number.isInteger(Math.round(Math.log10(tick) * 1e6) / 1e6))
    .map((tick): Tick => ({ x: x(tick), text: String(tick) }));
  return chart(title, axis, { ticks, rows, count: ranges.length });
}

interface Tick {
  readonly x: number;
  readonly text: string;
}

function chart(
  title: string,
  axis: string,
  plot: {
    readonly ticks: readonly Tick[];
    readonly rows: readonly string[];
    readonly count: number;
  },
): string {
  const bottom = yOf(plot.count) - 8;
  const height = bottom + BOTTOM;
  const grid = plot.ticks.map(
    ({ x, text }) =>
      `<line class="grid" x1="${round(x)}" x2="${round(x)}" y1="${TOP - 6}" y2="${bottom}"/>` +
      `<text class="axis" x="${round(x)}" y="${bottom + 14}" text-anchor="middle">${escaped(text)}</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}">
<title>${escaped(title)}</title>
<desc>${escaped(axis)}</desc>
<style>${STYLE}
</style>
<text class="title" x="0" y="14">${escaped(title)}</text>
<text class="axis" x="${WIDTH}" y="14" text-anchor="end">${escaped(axis)}</text>
${grid.join('\n')}
${plot.rows.join('\n')}
</svg>
`;
}

function yOf(row: number): number {
  return TOP + ROW_HEIGHT * (row + 0.5);
}

function label(text: string, y: number): string {
  return `<text x="${LABEL_WIDTH - 8}" y="${y + 4}" text-anchor="end">${escaped(text)}</text>`;
}

function valueText(text: string, y: number): string {
  return `<text class="axis" x="${PLOT_END + 8}" y="${y + 4}">${escaped(text)}</text>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
