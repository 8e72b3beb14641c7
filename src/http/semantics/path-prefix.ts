/** The prefix of every link's path. */

/** The path of `PUBLIC_BASE_URL`: a proxy removes it, links need it. `serve` passes the variable to its children. */
export const PATH_PREFIX = pathOf(process.env['PUBLIC_BASE_URL'] ?? '');

function pathOf(baseUrl: string): string {
  return baseUrl === '' ? '' : new URL(baseUrl).pathname.replace(/\/$/, '');
}
