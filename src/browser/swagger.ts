/** Shows the OpenAPI document with Swagger UI: every operation can be tried out in the page. */
import SwaggerUI from 'swagger-ui-dist/swagger-ui-es-bundle.js';
import { showReference } from './reference/reference-page.js';
import { LAYOUT, referenceParts } from './reference/swagger-parts.js';

await showReference((description, place, theme) => {
  document.documentElement.classList.toggle('dark-mode', theme === 'dark');
  SwaggerUI({
    spec: description,
    domNode: place,
    presets: [SwaggerUI.presets.apis],
    plugins: [referenceParts],
    layout: LAYOUT,
    deepLinking: true,
    displayRequestDuration: true,
    defaultModelsExpandDepth: 0,
    tryItOutEnabled: true,
    syntaxHighlight: { theme: 'tomorrow-night' },
    // Otherwise a badge is asked for at another host.
    validatorUrl: null,
  });
});
