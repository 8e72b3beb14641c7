/** The prefix of every link's path. */

const BASE_URL = process.env['PUBLIC_BASE_URL'] ?? '';

/** The path of `PUBLIC_BASE_URL`: a proxy removes it, links need it. `serve` passes the variable to its children. */
export const PATH_PREFIX = BASE_URL === '' ? '' : new URL(BASE_URL).pathname.replace(/\/$/, '');
