/** Shows the OpenAPI document with Redoc: the whole of it on one page, to be read. */
import { init } from 'redoc/bundles/redoc.standalone.js';
import { REDOC_THEMES } from './reference/redoc-themes.js';
import { showReference } from './reference/page.js';

await showReference((description, place, theme) => {
  const options = { nativeScrollbars: true, hideDownloadButton: true, theme: REDOC_THEMES[theme] };
  init(description, options, place);
});
