/** What is around every page. */
import type { PageStyle, Site } from './page.js';

export function viewLayout({ language, theme }: PageStyle, { assets }: Site) {
  return { language, theme: theme ?? 'auto', assets };
}
