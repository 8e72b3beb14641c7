/** Paths that are typed in other words than the table's: escapes of characters that need none (RFC 3986 §6.2.2.2). */
import type { Route } from '../routing/route.js';

/** Escapes of ALPHA, DIGIT, `-`, `.`, `_` and `~`; every other one means something that its character does not. */
const NEEDLESS_ESCAPE = /%(?:2[DE]|3\d|[46][1-9A-F]|5[\dAF]|7[\dAE])/gi;

/** Undefined where the path has no such escape. `%2F` stays what it is: no separator. */
export function withoutNeedlessEscapes(path: string): string | undefined {
  const plain = path.replaceAll(NEEDLESS_ESCAPE, (escape) =>
    String.fromCharCode(Number.parseInt(escape.slice(1), 16)),
  );
  return plain === path ? undefined : plain;
}

/** The segments of `path` that stand where the route has parameters; undefined where it is not the route's. */
export function matchPath(route: Route, path: string): readonly string[] | undefined {
  const segments = path.split('/');
  const declared = route.path.split('/');
  if (segments.length !== declared.length) return undefined;
  const found: string[] = [];
  for (const [index, segment] of segments.entries()) {
    const wanted = declared[index] ?? '';
    if (wanted.startsWith('{') && segment !== '') found.push(segment);
    else if (wanted !== segment) return undefined;
  }
  return found;
}
