/**
 * The packages that the service runs with, as `package-lock.json` names them: `path@version`, in the order of their paths.
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
