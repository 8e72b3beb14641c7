/** Types of the function of Redoc's bundle that is used here. */
declare module 'redoc/bundles/redoc.standalone.js' {
  export function init(description: object, options: object, container: HTMLElement): void;
}
