/**
 * The packages that the service runs with, from `package-lock.json`: `path@version`, sorted.
 *
 * @param {{ packages: Record<string, { version?: string, dev?: boolean }> }} lock
 * @returns {string[]}
 */
export function runtimePackages({ packages }) {
  return Object.entries(packages)
    .filter(([path, { dev }]) => path !== '' && dev !== true)
    .map(([path, { version }]) => `${path}@${version}`)
    .sort();
}
