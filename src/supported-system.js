/**
 * Ends the process with one line on stderr, and exit code 2, where Node or the C library is not one that the service
 * runs on. It imports nothing and is plain JavaScript, so that it runs before anything is installed or compiled, and on
 * a Node that cannot parse the rest.
 */

/**
 * Each supported major version of Node with its first minor version (as `engines` in package.json), and with the first
 * glibc that has what the native packages ask for: lmdb 2.34, uWebSockets.js 2.38 from Node 24 on.
 */
const SUPPORTED = [
  { major: 20, minor: 19, glibc: 34 },
  { major: 22, minor: 13, glibc: 34 },
  { major: 24, minor: 0, glibc: 38 },
  { major: 26, minor: 0, glibc: 38 },
];

const problem = problemOf(process.versions.node);
if (problem !== undefined) {
  process.stderr.write(`bura: ${problem}\n`);
  process.exit(2);
}

/** @param {string} version */
function problemOf(version) {
  const [major, minor] = version.split('.').map(Number);
  const found = SUPPORTED.find((one) => one.major === major);
  if (found === undefined || minor === undefined || minor < found.minor) {
    return `Node ${version} is not supported: use 20 (from 20.19), 22 (from 22.13), 24 or 26`;
  }
  if (process.platform !== 'linux') return undefined;
  const glibc = glibcVersion();
  const [generation, release] = glibc.split('.').map(Number);
  if (generation === 2 && release !== undefined && release >= found.glibc) return undefined;
  const otherwise = found.glibc > 34 ? ', or Node 22, which needs 2.34' : '';
  return `Node ${major} needs glibc 2.${found.glibc} or later, and here is ${glibc}: use a newer system${otherwise}`;
}

/** Without the network's part a report takes some 3 ms and does not look up names. */
function glibcVersion() {
  Object.assign(process.report, { excludeNetwork: true });
  const { header } = /** @type {{ header: { glibcVersionRuntime?: string } }} */ (
    /** @type {unknown} */ (process.report.getReport())
  );
  return header.glibcVersionRuntime || 'another C library';
}
