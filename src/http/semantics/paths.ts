/** Splits paths of request targets and normalizes their escapes (RFC 3986 §3.3, §6.2.2.2). */

const SEGMENTS_MAX = 16;

/** Escapes of unreserved characters. */
const NEEDLESS_ESCAPE = /%(?:2[DE]|3\d|[46][1-9A-F]|5[\dAF]|7[\dAE])/gi;

/** Decodes the escapes of unreserved characters only: `%2F` is not a separator. */
export function withoutNeedlessEscapes(path: string): string {
  return path.replaceAll(NEEDLESS_ESCAPE, (escape) =>
    String.fromCharCode(Number.parseInt(escape.slice(1), 16)),
  );
}

/** The first segments of a path, as many as the longest allowed path has. */
export function splitPath(path: string): readonly string[] {
  return path.split('/', SEGMENTS_MAX);
}

/** Whether a path matches the declared path; `{+name}` at the declared end matches one segment or more. */
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

/** The parameters of a path that `isPath` accepts. */
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

/** The decoded text of a segment. Escapes that are not UTF-8 are kept: no valid value contains a `%`. */
function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
