/** Types of the API of Redoc that is used here. */
declare module 'redoc/bundles/redoc.standalone.js' {
  interface Options {
    readonly hideDownloadButton?: boolean;
    readonly nativeScrollbars?: boolean;
    readonly theme?: object;
  }
  export function init(description: object, options: Options, container: HTMLElement): void;
}
