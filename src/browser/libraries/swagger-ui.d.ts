/** Types of the API of Swagger UI that is used here. */
declare module 'swagger-ui-dist/swagger-ui-es-bundle.js' {
  interface Options {
    readonly spec: object;
    readonly domNode: HTMLElement;
    readonly presets: readonly unknown[];
    readonly plugins: readonly unknown[];
    readonly layout: string;
    readonly deepLinking: boolean;
    readonly displayRequestDuration: boolean;
    /** -1: no schemas at all. */
    readonly defaultModelsExpandDepth: number;
    readonly tryItOutEnabled: boolean;
    readonly syntaxHighlight: { readonly theme: string };
    readonly validatorUrl: string | null;
  }
  /** What Swagger UI passes to a plug-in, including its own React. */
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
    (options: Options): unknown;
    readonly presets: { readonly apis: unknown };
  };
  export default SwaggerUI;
}
