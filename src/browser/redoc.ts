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
  // Redoc opens what the address names only when all is in the page.
  useEffect(() => {
    store.onDidMount();
  }, [store]);
  const activate = (item: redoc.MenuItem): void => {
    if (!item.active) menu.activateAndScroll(item, true);
    else if (item.expanded) item.collapse();
    else item.expand();
  };
  const sideMenu = createElement(
    redoc.StickyResponsiveSidebar,
    { menu, className: 'menu-content' },
    createElement(redoc.SearchBox, {
      search,
      marker,
      getItemById: menu.getItemById,
      onActivate: menu.activateAndScroll,
    }),
    createElement(
      'div',
      { className: 'menu-items' },
      createElement(redoc.MenuItems, { items: menu.items, onActivate: activate, root: true }),
      createElement(
        redoc.RedocAttribution,
        null,
        createElement('a', { href: 'https://redocly.com/redoc/' }, 'API docs by Redocly'),
      ),
    ),
  );
  const content = createElement(
    redoc.ApiContentWrap,
    { className: 'api-content' },
    createElement(redoc.ApiInfo, { store }),
    createElement(redoc.ContentItems, { items: menu.items }),
  );
  const wrap = createElement(
    redoc.RedocWrap,
    { className: 'redoc-wrap' },
    sideMenu,
    content,
    createElement(redoc.BackgroundStub, null),
  );
  return [
    [redoc.OptionsProvider, { value: options }] as const,
    [redoc.StoreProvider, { value: store }] as const,
    [redoc.ThemeProvider, { theme: options.theme }] as const,
  ].reduce<unknown>((inner, [provider, given]) => createElement(provider, given, inner), wrap);
}

await showReference((description, container, theme) => {
  const options = { hideDownloadButton: true, theme: redocTheme(theme) };
  const store = new redoc.AppStore(description, undefined, options);
  createRoot(container).render(createElement(Reference, { store }));
});
