/**
 * Shows the OpenAPI document with Swagger UI, where every operation can be tried out.
 *
 * A plug-in leaves out what the page already has (title, servers, a `main` element), and replaces links inside of
 * buttons, which are invalid and confuse screen readers, by their text; the address still names the open operation.
 */
import SwaggerUI, { type System } from 'swagger-ui-dist/swagger-ui-es-bundle.js';
import { showReference } from './reference/reference-page.js';

const LAYOUT = 'ReferenceLayout';

function referencePlugin({ React, getComponent }: System): object {
  return {
    components: {
      [LAYOUT]: () =>
        React.createElement(
          'div',
          { className: 'swagger-ui' },
          React.createElement(getComponent('operations', true), null),
          React.createElement(getComponent('Models', true), null),
        ),
      DeepLink: ({ text }: { readonly text: unknown }) => React.createElement('span', null, text),
    },
  };
}

await showReference((description, container, theme) => {
  document.documentElement.classList.toggle('dark-mode', theme === 'dark');
  SwaggerUI({
    spec: description,
    domNode: container,
    presets: [SwaggerUI.presets.apis],
    plugins: [referencePlugin],
    layout: LAYOUT,
    deepLinking: true,
    displayRequestDuration: true,
    defaultModelsExpandDepth: 0,
    tryItOutEnabled: true,
    syntaxHighlight: { theme: 'tomorrow-night' },
    // Otherwise Swagger UI requests a badge from another host.
    validatorUrl: null,
  });
});
