/** The prefix of the path of every link. */

/** The path of `PUBLIC_BASE_URL`, which a proxy removes and every link needs; `serve` passes it to its children. */
export const PATH_PREFIX = pathOf(process.env['PUBLIC_BASE_URL'] ?? '');

function pathOf(baseUrl: string): string {
  return baseUrl === '' ? '' : new URL(baseUrl).pathname.replace(/\/$/, '');
}
