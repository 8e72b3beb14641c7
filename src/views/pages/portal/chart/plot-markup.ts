/** The markup of a plot, within its `<svg>`. */
import { html, type Markup } from '../../../html.js';
import type { viewPlot } from './plot.js';

export type Plot = NonNullable<ReturnType<typeof viewPlot>>;

type Line = Plot['series'][number];

/** @param fills the operator's colours, for a picture, which has no style sheet of them. */
export function plotMarkup(plot: Plot, fills?: ReadonlyMap<string, string>): Markup {
  const { height, width, isStretched, curveWidth } = plot;
  const gaps = plot.gaps.map(
    (gap) => html`<rect class="gap" x="${gap.x}" width="${gap.width}" height="${height}"/>`,
  );
  const rules = plot.rules.map(
    ({ y, label }) =>
      html`<line class="rule" x2="${width}" y1="${y}" y2="${y}"/><text class="rule-label" x="-10" y="${y}" dy="4">${label}</text>`,
  );
  const bands = plot.bands.map(
    ({ color, y, height: high, label }) =>
      html`<rect class="band ${color}"${fills?.has(color) && html` fill="${fills.get(color)}"`} x="-5" width="5" y="${y}" height="${high}"/>${label && html`<text class="band-label" x="3" y="${label.y}" dy="-3">${label.text}</text>`}`,
  );
  const zone =
    plot.zone && html`<text class="rule-label" x="-10" y="${height + 18}">${plot.zone}</text>`;
  const usual = plot.usual !== '' && html`<path class="usual" d="${plot.usual}"/>`;
  const lines = plot.series.map((line, index) => lineMarkup(line, index, plot.isDense));
  const curves = isStretched
    ? html`<svg class="curve" viewBox="0 0 ${curveWidth} ${height}" height="${height}" preserveAspectRatio="none">${usual}${lines}</svg>`
    : html`<g class="curve">${usual}${lines}</g>`;
  const points = plot.series.map((line, index) => pointsMarkup(line, index));
  return html`${gaps}${rules}${bands}${plot.axes}${zone}${curves}${points}`;
}

function lineMarkup({ area, line, dots }: Line, index: number, isDense: boolean): Markup | false {
  const dense = isDense && ' dense';
  if (line === '' && dots === '') return false;
  return html`<g class="s${index + 1}">${area !== '' && html`<path class="area" d="${area}"/>`}${line !== '' && html`<path class="line${dense}" d="${line}"/>`}${dots !== '' && html`<path class="dots${dense}" d="${dots}"/>`}</g>`;
}

function pointsMarkup({ arrows }: Line, index: number): Markup | false {
  if (arrows.length === 0) return false;
  const shape = index > 0 ? 'M0,7V0M-4,0 0,-7 4,0Z' : 'M0,7V-7M-4,-2.5 0,-7 4,-2.5';
  const drawn = arrows.map(
    ({ x, y, turn }) =>
      html`<svg x="${x}" y="${y}" overflow="visible"><path class="arrow" transform="rotate(${turn})" d="${shape}"/></svg>`,
  );
  return html`<g class="s${index + 1}">${drawn}</g>`;
}
