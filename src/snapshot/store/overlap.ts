/** Whether two directories are apart: copies and the store's documents are never to lie one within the other. */
import { readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';

/** Links that lead to links; Linux gives up after as many. */
const LINKS_MAX = 40;

/** Whether one of them is the other or contains it, by their real paths; neither need exist yet. */
export function overlap(one: string, other: string): boolean {
  const [a, b] = [realPath(resolve(one)), realPath(resolve(other))];
  return isWithin(a, b) || isWithin(b, a);
}

function isWithin(inner: string, outer: string): boolean {
  const way = relative(outer, inner);
  return way !== '..' && !way.startsWith(`..${sep}`);
}

/** Where an absolute path leads; of what is not there yet, where it would be made. */
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

/** Target of a link that leads to nothing yet. */
function linkTarget(path: string): string | undefined {
  try {
    return resolve(realPath(dirname(path)), readlinkSync(path));
  } catch {
    return undefined;
  }
}
