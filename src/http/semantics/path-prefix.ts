/** The prefix of the path of every link. */

/**
 * The path of `PUBLIC_BASE_URL`, without a slash at its end: a proxy takes it away, and it stands before every link. Like
 * the texts it is the same for all that a process answers, so `serve` passes it on in the environment.
 */
export const PATH_PREFIX = pathOf(process.env['PUBLIC_BASE_URL'] ?? '');

function pathOf(baseUrl: string): string {
  return baseUrl === '' ? '' : new URL(baseUrl).pathname.replace(/\/$/, '');
}
