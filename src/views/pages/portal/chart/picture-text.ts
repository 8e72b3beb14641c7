/** Texts in a picture: nobody measures them before they are drawn, so their widths are estimated, and rather too wide. */

/** Mean width of a letter in relation to the size of the font. */
const LETTER = 0.6;

/** How much wider names are that have only capitals. */
const CAPITAL = 1.3;

export function estimatedWidth(text: string, fontSize: number): number {
  return Array.from(text).length * LETTER * fontSize;
}

/**
 * A text in lines, of its forms from long to short the first that needs fewer than `lines`, or one; where none does the
 * last form, which ends with an ellipsis where the lines are too few too.
 */
export function fitForms(
  forms: readonly string[],
  { width, fontSize, lines }: Readonly<Record<'width' | 'fontSize' | 'lines', number>>,
): readonly string[] {
  const size = /\p{Ll}/u.test(forms.join('')) ? fontSize : fontSize * CAPITAL;
  const letters = Math.max(Math.floor(width / (LETTER * size)), 1);
  // Broken at spaces, and within words that are longer than a line.
  const line = new RegExp(`[^ ].{0,${letters - 1}}(?= |$)|[^ ]{1,${letters}}`, 'gu');
  const wrapped = forms.map((form): readonly string[] => form.match(line) ?? []);
  const fitting = wrapped.find(({ length }) => length < Math.max(lines, 2));
  const shown = fitting ?? wrapped.at(-1) ?? [];
  if (shown.length <= lines) return shown;
  const rest = Array.from(shown.slice(lines - 1).join(' ')).slice(0, letters - 1);
  return [...shown.slice(0, lines - 1), `${rest.join('').trimEnd()}…`];
}
