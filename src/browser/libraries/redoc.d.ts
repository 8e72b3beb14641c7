/** Types of what is used here of Redoc's own bundle. */
declare module 'redoc/bundles/redoc.standalone.js' {
  export function init(description: object, options: object, container: HTMLElement): void;
}
