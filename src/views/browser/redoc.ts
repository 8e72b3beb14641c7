/** Shows the OpenAPI document with Redoc: the whole of it on one page, to be read. */
import { init } from 'redoc/bundles/redoc.standalone.js';
import { showReference, type Theme } from './reference/page.js';

await showReference((description, place, theme) => {
  init(
    description,
    { nativeScrollbars: true, hideDownloadButton: true, theme: THEMES[theme] },
    place,
  );
});

const THEMES: Readonly<Record<Theme, object>> = {
  light: {},
  dark: {},
};
