/** Shows the OpenAPI document with Redoc: the whole of it on one page, to be read. */
import { init } from 'redoc/bundles/redoc.standalone.js';
import { redocTheme } from './reference/redoc-theme.js';
import { showReference } from './reference/reference-page.js';

await showReference((description, place, theme) => {
  const options = { nativeScrollbars: true, hideDownloadButton: true, theme: redocTheme(theme) };
  init(description, options, place);
});
