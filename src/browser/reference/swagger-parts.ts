/**
 * Swagger UI without what the page already has around it: title, servers, a `main` of its own.
 *
 * Also without links inside of buttons, which screen readers cannot make sense of: the address line still follows what
 * is open.
 */

/** As Swagger UI hands itself to a plug-in; React is its own. */
export interface SwaggerSystem {
  readonly React: {
    readonly createElement: (
      type: unknown,
      properties: object | null,
      ...children: readonly unknown[]
    ) => unknown;
  };
  readonly getComponent: (name: string, connected?: boolean) => unknown;
}

export const LAYOUT = 'ReferenceLayout';

export function referenceParts({ React, getComponent }: SwaggerSystem): object {
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
