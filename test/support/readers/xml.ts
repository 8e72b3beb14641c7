/** XML as a small tree, by an independent strict parser. */
import { SaxesParser } from 'saxes';

export interface Element {
  /** The name as written, with its prefix. */
  readonly name: string;
  /** The name with the namespace instead of the prefix: `{namespace}name`. */
  readonly tag: string;
  /** Values by written names, without namespace declarations. */
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly (Element | string)[];
}

/** The root element. @throws {Error} for other encodings than UTF-8, malformed XML, and undeclared prefixes. */
export function parseXml(bytes: Uint8Array): Element {
  const parser = new SaxesParser({ xmlns: true });
  const roots: (Element | string)[] = [];
  const open = [roots];
  parser.on('opentag', ({ name, uri, local, attributes }) => {
    const own = Object.values(attributes).filter((one) => !/^xmlns(?::|$)/.test(one.name));
    const children: (Element | string)[] = [];
    open.at(-1)?.push({
      name,
      tag: uri === '' ? local : `{${uri}}${local}`,
      children,
      attributes: Object.fromEntries(own.map((one) => [one.name, one.value])),
    });
    open.push(children);
  });
  parser.on('closetag', () => open.pop());
  const addText = (text: string): void => void open.at(-1)?.push(text);
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('error', (error) => {
    throw error;
  });
  parser.write(new TextDecoder('utf-8', { fatal: true }).decode(bytes)).close();
  const [root] = elementsIn({ children: roots });
  if (root === undefined) throw new Error('no root element');
  return root;
}

export function elementsIn({ children }: Pick<Element, 'children'>): readonly Element[] {
  return children.filter((child) => typeof child !== 'string');
}

/** All descendants with a written name, except those inside another descendant of that name. */
export function find(element: Element, name: string): readonly Element[] {
  return elementsIn(element).flatMap((child) =>
    child.name === name ? [child] : find(child, name),
  );
}

export function textIn({ children }: Element): string {
  return children.map((child) => (typeof child === 'string' ? child : textIn(child))).join('');
}
