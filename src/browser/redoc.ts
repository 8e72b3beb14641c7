/** Shows the OpenAPI document with Redoc, for reading. */
import { init } from 'redoc/bundles/redoc.standalone.js';
import { redocTheme } from './reference/redoc-theme.js';
import { showReference } from './reference/reference-page.js';

await showReference((description, container, theme) => {
  init(description, { hideDownloadButton: true, theme: redocTheme(theme) }, container);
});
