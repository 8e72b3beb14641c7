/**
 * Finds what the tests need beside Node and the npm packages, before the first test runs. What is missing is installed
 * where that can be done (Debian or Ubuntu, as root); otherwise one line on stderr says what to type, and the exit code
 * is 1.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { CHROMIUM, findMountNamespace, findProgram, PYTHON } from './system.mjs';

/**
 * Debian's packages, each with what it is needed for and whether that is there. `services` are what Debian would start
 * of a package at once and whenever the machine starts; tests start their own.
 *
 * @type {readonly { debian: string, isThere: () => unknown, services?: readonly string[] }[]}
 */
/** What tests of a release need as well (`docs/contributing.md`, "Release"): asked for with `--release`. */
const OF_A_RELEASE = ['docker-compose', 'lintian', 'mmdebstrap'].map((debian) => ({
  debian,
  isThere: () => findProgram([debian]) !== undefined,
}));

/** Debian's packages, each with what it is needed for and whether that is there. */
const PREREQUISITES = [
  // Pages are opened, read and photographed.
  { debian: 'chromium', isThere: () => findProgram(CHROMIUM) !== undefined },
  // Chromium shows nothing without a font, and pages are in Serbian.
  { debian: 'fontconfig', isThere: () => findProgram(['fc-list']) !== undefined },
  { debian: 'fonts-dejavu-core', isThere: hasSerbianFont },
  // Spreadsheets are read by another program than the one that wrote them.
  { debian: 'libreoffice-calc', isThere: () => findProgram(['soffice']) !== undefined },
  // A disk is filled: a small tmpfs.
  { debian: 'mount', isThere: () => findProgram(['mount']) !== undefined },
  { debian: 'util-linux', isThere: () => findProgram(['unshare']) !== undefined },
  // System calls are seen, and fail.
  { debian: 'strace', isThere: () => findProgram(['strace']) !== undefined },
  // A store of its own kind is started, killed and spoken to, with TLS too.
  { debian: 'redis-server', isThere: () => findProgram(['redis-server']) !== undefined },
  { debian: 'redis-sentinel', isThere: () => findProgram(['redis-sentinel']) !== undefined },
  { debian: 'redis-tools', isThere: () => findProgram(['redis-cli']) !== undefined },
  { debian: 'openssl', isThere: () => findProgram(['openssl']) !== undefined },
  // Metrics, alerts and the dashboard are read by the program that they are for.
  {
    debian: 'prometheus',
    isThere: () => ['promtool', 'prometheus'].every((one) => findProgram([one])),
    services: ['prometheus'],
  },
  // A terminal, a pipe with a name, checksums and gzip streams.
  { debian: 'bsdutils', isThere: () => findProgram(['script']) !== undefined },
  {
    debian: 'coreutils',
    isThere: () => ['mkfifo', 'sha256sum'].every((one) => findProgram([one])),
  },
  { debian: 'gzip', isThere: () => findProgram(['gzip']) !== undefined },
  // Proxies stand in front of instances, over TLS.
  { debian: 'nginx', isThere: () => findProgram(['nginx']), services: ['nginx'] },
  { debian: 'haproxy', isThere: () => findProgram(['haproxy']), services: ['haproxy'] },
  {
    debian: 'varnish',
    isThere: () => findProgram(['varnishd']),
    services: ['varnish', 'varnishncsa'],
  },
  { debian: 'caddy', isThere: () => findProgram(['caddy']), services: ['caddy'] },
  { debian: 'openssl', isThere: () => findProgram(['openssl']) !== undefined },
  { debian: 'curl', isThere: () => findProgram(['curl']) !== undefined },
  // A bucket of a real S3 server is the store.
  { debian: 'rclone', isThere: () => findProgram(['rclone']) !== undefined },
  pythonLibrary('swift'),
  // Recipes are run by the programs that they are for (docs/recipes.md).
  ...['pandas', 'jinja2', 'yaml'].map(pythonLibrary),
  { debian: 'r-base-core', isThere: () => findProgram(['Rscript']) !== undefined },
  {
    debian: 'r-cran-curl',
    isThere: () => spawnSync('Rscript', ['-e', 'library(curl)']).status === 0,
  },
  { debian: 'gdal-bin', isThere: () => findProgram(['ogrinfo']) !== undefined },
  // Keys are pressed in the shells that the command is completed in, scripts are checked, the manual is read.
  ...['bash', 'zsh', 'fish', 'shellcheck', 'mandoc'].map((debian) => ({
    debian,
    isThere: () => findProgram([debian]) !== undefined,
  })),
  ...(process.argv.includes('--release') ? OF_A_RELEASE : []),
];

/** Asked by Debian's packages whether they may start services; 101 says no. */
const SERVICE_POLICY = '/usr/sbin/policy-rc.d';

let missing = missingPackages();
if (missing.length > 0 && process.geteuid?.() === 0 && findProgram(['apt-get']) !== undefined) {
  install(missing);
  missing = missingPackages();
}
if (missing.length > 0) {
  fail(
    `the tests need programs that are not here; on Debian type: sudo apt-get install --no-install-recommends ${missing.join(' ')}`,
  );
}
if (spawnSync('strace', ['-D', '-f', '-qq', '-e', 'trace=none', 'true']).status !== 0) {
  fail(
    'the tests look at system calls with strace, which is not permitted here: a container may need --cap-add SYS_PTRACE',
  );
}
if (findMountNamespace() === undefined) {
  fail(
    'the tests mount a small disk, which is not permitted here: run them as root, or type: sudo sysctl kernel.unprivileged_userns_clone=1 kernel.apparmor_restrict_unprivileged_userns=0',
  );
}

function missingPackages() {
  return PREREQUISITES.filter(({ isThere }) => !isThere()).map(({ debian }) => debian);
}

/**
 * A library of Debian's own Python, whose package is called after it.
 *
 * @param {string} name
 */
function pythonLibrary(name) {
  return {
    debian: `python3-${name}`,
    isThere: () => spawnSync(PYTHON, ['-c', `import ${name}`]).status === 0,
  };
}

function hasSerbianFont() {
  const { status, stdout } = spawnSync('fc-list', [':lang=sr', 'family'], { encoding: 'utf8' });
  return status === 0 && stdout !== '';
}

/** @param {readonly string[]} packages */
function install(packages) {
  process.stderr.write(`installing what the tests need: ${packages.join(' ')}\n`);
  const isOurs = !existsSync(SERVICE_POLICY);
  if (isOurs) writeFileSync(SERVICE_POLICY, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  try {
    installPackages(packages);
  } finally {
    if (isOurs) rmSync(SERVICE_POLICY);
  }
  const installed = PREREQUISITES.filter(({ debian }) => packages.includes(debian));
  const services = installed.flatMap(({ services = [] }) => services);
  if (services.length > 0 && findProgram(['systemctl']) !== undefined) {
    spawnSync('systemctl', ['disable', '--quiet', ...services], { stdio: 'ignore' });
  }
}

/** @param {readonly string[]} packages */
function installPackages(packages) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  for (const command of [
    ['update', '-qq'],
    ['install', '-qq', '-y', '--no-install-recommends', ...packages],
  ]) {
    const { status } = spawnSync('apt-get', command, {
      env,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    if (status !== 0) return;
  }
  disableRedis(packages);
}

/**
 * Debian starts what it has installed, at every boot; the tests start servers of their own, and need no others.
 *
 * @param {readonly string[]} installed
 */
function disableRedis(installed) {
  const services = ['redis-server', 'redis-sentinel'].filter((name) => installed.includes(name));
  if (services.length === 0 || findProgram(['systemctl']) === undefined) return;
  spawnSync('systemctl', ['disable', '--quiet', '--now', ...services], { stdio: 'ignore' });
}

/** @param {string} line */
function fail(line) {
  process.stderr.write(`${line}\n`);
  process.exit(1);
}
