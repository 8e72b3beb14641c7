/** Finds what tests need of the system that they run on; for the tests, and for the check before them. */
import { spawnSync } from 'node:child_process';
import { accessSync, constants, mkdtempSync, rmdirSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

/** Names of the browser's program: a page costs a third of what it costs in the Chromium that has windows. */
export const CHROMIUM = ['chromium-headless-shell', 'chrome-headless-shell'];

/** Debian's folder of servers' programs; an ordinary user's PATH lacks it. */
const SERVERS = '/usr/sbin';

/** Folder of the public tests of HTTP caches. */
export const CACHE_TESTS = fetchedPackage('http-cache-tests@0.4.5');

/** Debian's own Python, which has Debian's libraries. */
export const PYTHON = '/usr/bin/python3';

/**
 * The path of the first of these programs that is in PATH or in the folder of servers.
 *
 * @param {readonly string[]} names
 */
export function findProgram(names) {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), SERVERS];
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable);
}

/**
 * Folder of an npm package that `test-prerequisites.mjs` fetches.
 *
 * @param {string} name with its version, such as `d3@7.9.0`
 */
export function fetchedPackage(name) {
  return join(homedir(), '.cache/bura', name.replace(/^@/, '').replaceAll(/[/@]/g, '-'));
}

/** The path of a program that `test-prerequisites.mjs` has found before. @param {readonly string[]} names */
export function requireProgram(names) {
  const path = findProgram(names);
  if (path === undefined) {
    throw new Error(`${names[0]} is not in PATH: see node tools/test-prerequisites.mjs`);
  }
  return path;
}

/**
 * The command that starts another one where it may mount file systems: in a mount namespace of root, or in one inside a
 * user namespace, which needs no root. Undefined where the system permits neither.
 *
 * @returns {readonly string[] | undefined}
 */
export function findMountNamespace() {
  const folder = mkdtempSync(join(tmpdir(), 'bura-mount-'));
  try {
    return [
      ['unshare', '--mount'],
      ['unshare', '--user', '--map-root-user', '--mount'],
    ].find(([program = '', ...options]) => {
      const trial = ['mount', '-t', 'tmpfs', 'tmpfs', folder];
      return spawnSync(program, [...options, ...trial]).status === 0;
    });
  } finally {
    rmdirSync(folder);
  }
}

/** Why nothing can be mounted here, or undefined. */
export function mountRefusal() {
  return findMountNamespace() === undefined
    ? 'mounting a small disk is not permitted (a container needs --cap-add SYS_ADMIN; elsewhere run them as root, or set kernel.unprivileged_userns_clone=1 and kernel.apparmor_restrict_unprivileged_userns=0)'
    : undefined;
}

/** Why system calls cannot be traced here, or undefined. */
export function straceRefusal() {
  return spawnSync('strace', ['-D', '-f', '-qq', '-e', 'trace=none', 'true']).status === 0
    ? undefined
    : 'tracing system calls with strace is not permitted (a container needs --cap-add SYS_PTRACE)';
}

/** @param {string} path */
function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
