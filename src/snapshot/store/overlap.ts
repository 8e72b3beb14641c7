/** Checks whether two directories overlap: local copies must not be inside the store, nor the store inside them. */
import { readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';

/** Linux's limit of nested links. */
const LINKS_MAX = 40;

/** Whether one directory contains the other, by their real paths; directories may be missing. */
export function overlap(one: string, other: string): boolean {
  const [a, b] = [realPath(resolve(one)), realPath(resolve(other))];
  return isWithin(a, b) || isWithin(b, a);
}

function isWithin(inner: string, outer: string): boolean {
  const way = relative(outer, inner);
  return way !== '..' && !way.startsWith(`..${sep}`);
}

/** The real path, also of a path that does not exist yet. */
function realPath(path: string, links = 0): string {
  try {
    return realpathSync(path);
  } catch {
    const target = links < LINKS_MAX ? linkTarget(path) : undefined;
    if (target !== undefined) return realPath(target, links + 1);
    const parent = dirname(path);
    return parent === path ? path : join(realPath(parent, links), basename(path));
  }
}

/** Target of a link, even if the target is missing; undefined if the path is not a link. */
function linkTarget(path: string): string | undefined {
  try {
    return resolve(realPath(dirname(path)), readlinkSync(path));
  } catch {
    return undefined;
  }
}
