/** Loads the OpenAPI document, and lets a viewer show it in the page's theme. */
import { ROOT } from '../portal/page-address.js';
import { makeAccessible } from './accessible.js';

export type ReferenceTheme = 'light' | 'dark';

const BASE_URL = ROOT.href.replace(/\/$/, '');

export type Show = (description: object, container: HTMLElement, theme: ReferenceTheme) => void;

/** Shows the document, and shows it again when the theme changes. */
export async function showReference(show: Show): Promise<void> {
  const viewer = element('viewer');
  const loading = element('viewer-loading');
  insertBaseUrl();
  makeAccessible(viewer);
  loading.hidden = false;
  try {
    const description = await fetchDescription(viewer.dataset['description'] ?? '');
    followTheme((theme) => {
      const container = document.createElement('div');
      viewer.replaceChildren(container);
      show(description, container, theme);
    });
  } catch (error) {
    element('viewer-failed').hidden = false;
    console.warn(error);
  } finally {
    loading.hidden = true;
  }
}

/** Calls `use` at once; without a chosen theme, also when the system's theme changes. */
function followTheme(use: (theme: ReferenceTheme) => void): void {
  const chosen = document.documentElement.dataset['theme'];
  if (chosen === 'light' || chosen === 'dark') {
    use(chosen);
    return;
  }
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const useSystem = (): void => {
    use(dark.matches ? 'dark' : 'light');
  };
  dark.addEventListener('change', useSystem);
  useSystem();
}

async function fetchDescription(path: string): Promise<object> {
  const response = await fetch(path);
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  const description: unknown = await response.json();
  if (typeof description !== 'object' || description === null)
    throw new Error(`${path}: no object`);
  // Requests go to the page's origin, the only one that its Content-Security-Policy allows.
  return { ...description, servers: [{ url: BASE_URL }] };
}

/** Replaces `$BASE_URL` in examples by the address of this service. */
function insertBaseUrl(): void {
  for (const code of document.querySelectorAll('.prose code')) {
    code.textContent = code.textContent.replaceAll('$BASE_URL', BASE_URL);
  }
}

function element(id: string): HTMLElement {
  const node = document.getElementById(id);
  if (node === null) throw new Error(`the page has no #${id}`);
  return node;
}
