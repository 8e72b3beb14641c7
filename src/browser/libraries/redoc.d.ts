/** Types of the API of Redoc that is used here. */
declare module 'redoc/bundles/redoc.standalone.js' {
  interface Options {
    readonly disableSearch?: boolean;
    readonly hideDownloadButton?: boolean;
    readonly nativeScrollbars?: boolean;
    readonly scrollYOffset?: string | number;
    readonly theme?: object;
  }
  export function init(
    description: object,
    options: Options,
    container: HTMLElement,
    done?: (error?: Error) => void,
  ): void;
}
