/** Types of the API of Redoc, and of React below it, that is used here. */
declare module 'redoc' {
  export interface MenuItem {
    readonly active: boolean;
    readonly expanded: boolean;
    expand(): void;
    collapse(): void;
  }
  interface Menu {
    readonly items: readonly MenuItem[];
    /** Both may be called without the menu. */
    readonly getItemById: (id: string) => MenuItem | undefined;
    readonly activateAndScroll: (item: MenuItem, updateLocation?: boolean) => void;
  }
  export class AppStore {
    readonly menu: Menu;
    readonly options: { readonly theme: object };
    readonly search: unknown;
    readonly marker: unknown;
    constructor(description: object, address: string | undefined, options: object);
    onDidMount(): void;
  }
  type Component = (properties: object) => unknown;
  export const ApiContentWrap: Component;
  export const ApiInfo: Component;
  export const BackgroundStub: Component;
  export const ContentItems: Component;
  export const MenuItems: Component;
  export const OptionsProvider: Component;
  export const RedocAttribution: Component;
  export const RedocWrap: Component;
  export const SearchBox: Component;
  export const StickyResponsiveSidebar: Component;
  export const StoreProvider: Component;
  export const ThemeProvider: Component;
}
declare module 'react' {
  export function createElement<Properties extends object>(
    type: string | ((properties: Properties) => unknown),
    properties: Properties,
    ...children: readonly unknown[]
  ): unknown;
  export function useEffect(effect: () => void, dependencies: readonly unknown[]): void;
}
declare module 'react-dom/client' {
  export function createRoot(container: HTMLElement): { render(element: unknown): void };
}
