/** Shows the OpenAPI document with Swagger UI, where every operation can be tried out. */
import SwaggerUI from 'swagger-ui-dist/swagger-ui-es-bundle.js';
import { showReference } from './reference/reference-page.js';
import { LAYOUT, referencePlugin } from './reference/swagger-plugin.js';

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
