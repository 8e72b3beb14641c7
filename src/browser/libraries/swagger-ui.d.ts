/** Types of the API of Swagger UI that is used here. */
declare module 'swagger-ui-dist/swagger-ui-es-bundle.js' {
  /** Swagger UI's own libraries, which it passes to a plug-in, including its React. */
  export interface System {
    readonly React: {
      readonly createElement: (
        type: unknown,
        properties: object | null,
        ...children: readonly unknown[]
      ) => unknown;
    };
    readonly getComponent: (name: string, connected?: boolean) => unknown;
  }
  const SwaggerUI: {
    (options: object): unknown;
    readonly presets: { readonly apis: unknown };
  };
  export default SwaggerUI;
}
