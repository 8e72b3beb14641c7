/** Redoc in the colours of the service, light and dark; what its options do not reach is in `redoc.css`. */
import type { Theme } from './page.js';

interface Colours {
  readonly text: string;
  readonly faint: string;
  readonly link: string;
  readonly ground: string;
  readonly raised: string;
  readonly line: string;
  readonly good: string;
  readonly bad: string;
  readonly warning: string;
}

const LIGHT: Colours = {
  text: '#16222e',
  faint: '#4d5b69',
  link: '#0b5cad',
  ground: '#ffffff',
  raised: '#f3f6f9',
  line: '#d5dde5',
  good: '#1b6e3c',
  bad: '#b3261e',
  warning: '#8a5300',
};

const DARK: Colours = {
  text: '#e8eef4',
  faint: '#a9b7c4',
  link: '#7cb8f5',
  ground: '#10181f',
  raised: '#18232d',
  line: '#33424f',
  good: '#74d19a',
  bad: '#ff9d94',
  warning: '#f0b968',
};

export const REDOC_THEMES: Readonly<Record<Theme, object>> = {
  light: themeOf(LIGHT),
  dark: themeOf(DARK),
};

function themeOf(colours: Colours): object {
  const { text, faint, link, ground, raised, line, good, bad, warning } = colours;
  const font = 'inherit';
  const mono = 'ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace';
  const response = (color: string): object => ({
    color,
    backgroundColor: raised,
    tabTextColor: color,
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
        success: response(good),
        error: response(bad),
        redirect: response(warning),
        info: response(link),
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
