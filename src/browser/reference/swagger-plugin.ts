/**
 * A plug-in of Swagger UI that leaves out what the page already has: title, servers, a `main` element.
 *
 * It also replaces links inside of buttons, which are invalid and confuse screen readers, by their text; the address
 * line still names the open operation.
 */

/** What Swagger UI passes to a plug-in, including its own React. */
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

export function referencePlugin({ React, getComponent }: SwaggerSystem): object {
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
