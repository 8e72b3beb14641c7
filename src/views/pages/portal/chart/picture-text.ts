/** Texts in a picture: nobody measures them before they are drawn, so their widths are estimated, and rather too wide. */

/** Mean width of a letter in relation to the size of the font. */
const LETTER = 0.6;

export function estimatedWidth(text: string, fontSize: number): number {
  return Array.from(text).length * LETTER * fontSize;
}

/** The text if it fits, else its beginning with an ellipsis. */
export function fitText(text: string, width: number, fontSize: number): string {
  const letters = Array.from(text);
  const most = Math.max(Math.floor(width / (LETTER * fontSize)), 1);
  if (letters.length <= most) return text;
  return `${letters
    .slice(0, most - 1)
    .join('')
    .trimEnd()}…`;
}

/** The text in lines, broken between words; the last line may end with an ellipsis. */
export function wrapText(
  text: string,
  { width, fontSize, lines }: Readonly<Record<'width' | 'fontSize' | 'lines', number>>,
): readonly string[] {
  const wrapped: string[] = [];
  const words = text.split(/\s+/);
  while (words.length > 0 && wrapped.length < lines - 1) {
    let line = words.shift() ?? '';
    while (words[0] !== undefined && estimatedWidth(`${line} ${words[0]}`, fontSize) <= width) {
      line += ` ${words.shift() ?? ''}`;
    }
    wrapped.push(line);
  }
  return [...wrapped, ...(words.length > 0 ? [words.join(' ')] : [])].map((line) =>
    fitText(line, width, fontSize),
  );
}
