/** What every viewer of the OpenAPI document needs of its page: the theme, the document, and words where it fails. */
import { keepAccessible } from './accessible.js';

export type Theme = 'light' | 'dark';

/** Puts the document into an empty element. */
export type Show = (description: object, place: HTMLElement, theme: Theme) => void;

/** Shows the document, and again where the theme changes and the viewer cannot follow by itself. */
export async function showReference(show: Show): Promise<void> {
  const viewer = element('viewer');
  const loading = element('viewer-loading');
  nameBase();
  keepAccessible(viewer);
  loading.hidden = false;
  try {
    const description = await fetchDescription(viewer.dataset['description'] ?? '');
    followTheme((theme) => {
      const place = document.createElement('div');
      viewer.replaceChildren(place);
      show(description, place, theme);
    });
  } catch (error) {
    element('viewer-failed').hidden = false;
    console.warn(error);
  } finally {
    loading.hidden = true;
  }
}

/** Calls back at once, and whenever the theme becomes another one. */
function followTheme(use: (theme: Theme) => void): void {
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
  // Requests go to where the page came from, whatever the service is called elsewhere: its policy allows no other.
  return { ...description, servers: [{ url: location.origin }] };
}

/** Examples for a shell have the address of this service instead of `$BASE_URL`. */
function nameBase(): void {
  for (const code of document.querySelectorAll('.prose code')) {
    code.textContent = code.textContent.replaceAll('$BASE_URL', location.origin);
  }
}

function element(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`the page has no #${id}`);
  return found;
}
