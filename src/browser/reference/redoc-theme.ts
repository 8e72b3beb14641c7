/** Theme of Redoc in the colours of the service; `redoc.css` has what the theme's options cannot change. */
import type { ReferenceTheme } from './reference-page.js';

/** Colours that the page itself does not have. */
const SIGNALS = {
  light: { good: '#1b6e3c', bad: '#8c1d18', warning: '#7a4a00' },
  dark: { good: '#74d19a', bad: '#ffb4a6', warning: '#f0b968' },
} as const;

function coloursOf(theme: ReferenceTheme) {
  const styles = getComputedStyle(document.documentElement);
  const token = (name: string): string => {
    const value = styles.getPropertyValue(name).trim();
    // Redoc derives shades from colours, and throws for notations other than hexadecimal ones.
    return /^#(?:[\da-f]{3}){1,2}$/i.test(value) ? value : '#808080';
  };
  return {
    text: token('--ink'),
    faint: token('--ink-soft'),
    link: token('--accent'),
    ground: token('--surface'),
    raised: token('--sunken'),
    line: token('--line'),
    ...SIGNALS[theme],
  };
}

export function redocTheme(theme: ReferenceTheme): object {
  const colours = coloursOf(theme);
  const { text, faint, link, ground, raised, line, good, bad, warning } = colours;
  const font = 'inherit';
  const mono = 'ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace';
  // Tabs are in the right panel, which is dark in both themes.
  const response = (name: 'good' | 'bad' | 'warning' | 'link'): object => ({
    color: colours[name],
    backgroundColor: raised,
    tabTextColor: name === 'link' ? '#84cbe2' : SIGNALS.dark[name],
  });
  return {
    colors: {
      primary: { main: link },
      success: { main: good },
      warning: { main: warning, contrastText: text },
      error: { main: bad },
      text: { primary: text, secondary: faint },
      border: { dark: line, light: line },
      responses: {
        success: response('good'),
        error: response('bad'),
        redirect: response('warning'),
        info: response('link'),
      },
      http: { get: good, head: link, options: warning, post: link, put: warning, delete: bad },
    },
    schema: {
      linesColor: line,
      typeNameColor: faint,
      typeTitleColor: faint,
      requireLabelColor: bad,
      nestedBackground: raised,
      arrow: { color: faint },
    },
    typography: {
      fontSize: '16px',
      lineHeight: '1.6',
      fontFamily: font,
      headings: { fontFamily: font, fontWeight: '650', lineHeight: '1.3' },
      code: { fontFamily: mono, color: text, backgroundColor: raised, wrap: true },
      links: { color: link, visited: link, hover: link, textDecoration: 'underline' },
    },
    sidebar: { backgroundColor: raised, textColor: text, activeTextColor: link },
    rightPanel: { backgroundColor: '#16222e', textColor: '#e8eef4', width: '38%' },
    codeBlock: { backgroundColor: '#0d151d' },
    fab: { backgroundColor: ground, color: link },
  };
}
