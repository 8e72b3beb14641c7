/** What is used of Redoc. */
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
    place: HTMLElement,
    done?: (error?: Error) => void,
  ): void;
}
