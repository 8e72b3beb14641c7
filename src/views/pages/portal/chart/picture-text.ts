/** Texts in a picture: rows and estimated widths, which are rather too large. */

export const ROW_GAP = 4;

/** Font sizes by class (`styles/picture/picture.css`); bold text counts as larger. */
export const SIZES = {
  head: 18,
  soft: 12,
  notice: 13,
  missing: 13,
  now: 20,
  hour: 12,
  none: 12,
  credit: 11,
  note: 11,
};

export interface Row {
  readonly name: keyof typeof SIZES;
  readonly text: string;
}

/** Mean width of a letter relative to the font size. */
const LETTER = 0.6;

/** Factor for texts in capitals, which are wider. */
const CAPITAL = 1.3;

export function estimatedWidth(text: string, fontSize: number): number {
  return Array.from(text).length * LETTER * fontSize;
}

/** Lines of the longest form of a text that fits, else of the last form, cut with an ellipsis. */
export function fitForms(
  forms: readonly string[],
  { width, fontSize, lines }: Readonly<Record<'width' | 'fontSize' | 'lines', number>>,
): readonly string[] {
  const size = /\p{Ll}/u.test(forms.join('')) ? fontSize : fontSize * CAPITAL;
  const letters = Math.max(Math.floor(width / (LETTER * size)), 1);
  // Breaks at spaces, and within words longer than a line.
  const line = new RegExp(`[^ ].{0,${letters - 1}}(?= |$)|[^ ]{1,${letters}}`, 'gu');
  const wrapped = forms.map((form): readonly string[] => form.match(line) ?? []);
  const fitting = wrapped.find(({ length }) => length < Math.max(lines, 2));
  const chosen = fitting ?? wrapped.at(-1) ?? [];
  if (chosen.length <= lines) return chosen;
  const rest = Array.from(chosen.slice(lines - 1).join(' ')).slice(0, letters - 1);
  return [...chosen.slice(0, lines - 1), `${rest.join('').trimEnd()}…`];
}

export type TextColumn = Readonly<Record<'x' | 'width' | 'top', number>>;

/** Rows below each other, and the position of the next row. */
export function stack(rows: readonly Row[], { x, top }: Omit<TextColumn, 'width'>, more = '') {
  let bottom = top;
  const texts = rows.map(({ name, text }) => {
    bottom += SIZES[name] + ROW_GAP;
    return { class: `${name}${more}`, x: x.toFixed(1), y: (bottom - ROW_GAP).toFixed(1), text };
  });
  return { texts, bottom };
}
