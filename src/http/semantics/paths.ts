/** Paths of request targets: splits them into segments and normalizes their escapes (RFC 3986 §3.3, §6.2.2.2). */

/** Longer ones belong to no endpoint. */
const SEGMENTS_MAX = 16;

/** Escapes of ALPHA, DIGIT, `-`, `.`, `_` and `~`; every other one means something that its character does not. */
const NEEDLESS_ESCAPE = /%(?:2[DE]|3\d|[46][1-9A-F]|5[\dAF]|7[\dAE])/gi;

/** `%2F` stays what it is: no separator. */
export function withoutNeedlessEscapes(path: string): string {
  return path.replaceAll(NEEDLESS_ESCAPE, (escape) =>
    String.fromCharCode(Number.parseInt(escape.slice(1), 16)),
  );
}

/** The segments of a request target or a declared path; a path too long for any endpoint is cut. */
export function splitPath(path: string): readonly string[] {
  return path.split('/', SEGMENTS_MAX);
}

/** Whether a path is the declared one, with any text where that has parameters; `{+name}` at its end is of one segment or more. */
export function isPath(declared: readonly string[], segments: readonly string[]): boolean {
  const hasRest = declared.at(-1)?.startsWith('{+') === true;
  const isLongEnough = hasRest
    ? segments.length >= declared.length
    : segments.length === declared.length;
  return (
    isLongEnough &&
    segments.every((segment, at) => {
      const wanted = declared[at] ?? '{';
      return wanted.startsWith('{') ? segment !== '' : segment === wanted;
    })
  );
}

/** The texts of the parameters in a path that `isPath` holds for. */
export function pathParameters(
  declared: readonly string[],
  segments: readonly string[],
): ReadonlyMap<string, readonly string[]> {
  return new Map(
    declared.flatMap((segment, at): readonly [string, string[]][] => {
      const [, rest, name] = /^\{(\+?)(\w+)\}$/.exec(segment) ?? [];
      if (name === undefined) return [];
      const texts = segments.slice(at, rest === '' ? at + 1 : undefined);
      return [[name, [texts.map(decodeSegment).join('/')]]];
    }),
  );
}

/** The text of a segment; as it was typed where its escapes are not UTF-8: no validation lets a `%` through. */
function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
