/**
 * Shows the OpenAPI document with Redoc, for reading.
 *
 * The page is put together from Redoc's parts: its own side menu has a logo from another host, which no option leaves out.
 */
import { createElement, useEffect } from 'react';
import { createRoot } from 'react-dom/client';
import * as redoc from 'redoc';
import { redocTheme } from './reference/redoc-theme.js';
import { showReference } from './reference/reference-page.js';

function Reference({ store }: { readonly store: redoc.AppStore }): unknown {
  const { menu, options, search, marker } = store;
  // What the address names is opened only when all is in the page.
  useEffect(() => {
    store.onDidMount();
  }, [store]);
  const { items, getItemById, activateAndScroll } = menu;
  const onActivate = (item: redoc.MenuItem): void => {
    if (!item.active) activateAndScroll(item, true);
    else if (item.expanded) item.collapse();
    else item.expand();
  };
  const found = { search, marker, getItemById, onActivate: activateAndScroll };
  const credit = createElement('a', { href: 'https://redocly.com/redoc/' }, 'API docs by Redocly');
  const sideMenu = createElement(
    redoc.StickyResponsiveSidebar,
    { menu, className: 'menu-content' },
    createElement(redoc.SearchBox, found),
    createElement(
      'div',
      { className: 'menu-items' },
      createElement(redoc.MenuItems, { items, onActivate, root: true }),
      createElement(redoc.RedocAttribution, {}, credit),
    ),
  );
  const content = createElement(
    redoc.ApiContentWrap,
    { className: 'api-content' },
    createElement(redoc.ApiInfo, { store }),
    createElement(redoc.ContentItems, { items }),
  );
  const wrapped = { className: 'redoc-wrap' };
  const stub = createElement(redoc.BackgroundStub, {});
  const page = createElement(redoc.RedocWrap, wrapped, sideMenu, content, stub);
  const configured = createElement(redoc.OptionsProvider, { value: options }, page);
  const stored = createElement(redoc.StoreProvider, { value: store }, configured);
  return createElement(redoc.ThemeProvider, { theme: options.theme }, stored);
}

await showReference((description, container, theme) => {
  const options = { hideDownloadButton: true, theme: redocTheme(theme) };
  const store = new redoc.AppStore(description, undefined, options);
  createRoot(container).render(createElement(Reference, { store }));
});
