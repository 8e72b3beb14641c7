/**
 * Finds the programs that `npm run test:all` needs in addition to Node and npm packages: `npm test` needs none of them.
 *
 * `node tools/test-prerequisites.mjs [--install] [--release]`: if programs are missing, a line on stderr says how to
 * get them, and the exit code is 1. `--install` installs them, on Debian and Ubuntu, as root, and fetches packages from
 * npm. `--release` includes programs for tests of a release. Missing rights are only reported: tap names the cases that
 * it skips.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import {
  CHROMIUM,
  fetchedPackage,
  findProgram,
  mountRefusal,
  PYTHON,
  straceRefusal,
} from './system.mjs';

/** Programs that tests of a release need as well (`docs/contributing.md`, "Release"). */
const OF_A_RELEASE = [
  // The images are built without an engine that runs as a service.
  ...['buildah', 'docker-compose', 'lintian', 'mmdebstrap'].map((debian) => ({
    debian,
    isThere: () => findProgram([debian]) !== undefined,
  })),
  // `ip` starts the loopback interface of a root without a network.
  { debian: 'iproute2', isThere: () => findProgram(['ip']) !== undefined },
];

/**
 * Debian's packages, each with a check whether its content is there. `services` are those that Debian starts at the
 * installation and at every boot; tests start their own.
 *
 * @type {readonly { debian: string, isThere: () => unknown, services?: readonly string[] }[]}
 */
const PREREQUISITES = [
  // Pages are opened, read and photographed.
  { debian: 'chromium-headless-shell', isThere: () => findProgram(CHROMIUM) !== undefined },
  // Chromium shows nothing without a font, and pages are in Serbian.
  { debian: 'fontconfig', isThere: () => findProgram(['fc-list']) !== undefined },
  { debian: 'fonts-dejavu-core', isThere: hasSerbianFont },
  // Spreadsheets are read by another program than the one that wrote them.
  { debian: 'libreoffice-calc', isThere: () => findProgram(['soffice']) !== undefined },
  // A disk is filled: a small tmpfs.
  { debian: 'mount', isThere: () => findProgram(['mount']) !== undefined },
  { debian: 'util-linux', isThere: () => findProgram(['unshare']) !== undefined },
  // System calls are traced, and made to fail.
  { debian: 'strace', isThere: () => findProgram(['strace']) !== undefined },
  // Redis servers are started, contacted and killed, with TLS too.
  {
    debian: 'redis-server',
    isThere: () => findProgram(['redis-server']),
    services: ['redis-server'],
  },
  {
    debian: 'redis-sentinel',
    isThere: () => findProgram(['redis-sentinel']),
    services: ['redis-sentinel'],
  },
  { debian: 'redis-tools', isThere: () => findProgram(['redis-cli']) !== undefined },
  { debian: 'openssl', isThere: () => findProgram(['openssl']) !== undefined },
  // Metrics, alerts and the dashboard are read by the program that they are for.
  {
    debian: 'prometheus',
    isThere: () => ['promtool', 'prometheus'].every((one) => findProgram([one])),
    services: ['prometheus'],
  },
  // Tests use a terminal, a named pipe, checksums and gzip.
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
  { debian: 'curl', isThere: () => findProgram(['curl']) !== undefined },
  // A bucket of a real S3 server is the store.
  { debian: 'rclone', isThere: () => findProgram(['rclone']) !== undefined },
  pythonLibrary('swift'),
  // Recipes are run by the programs that they are for.
  ...['pandas', 'jinja2', 'yaml'].map(pythonLibrary),
  // The OGC API is read by clients that others wrote.
  pythonLibrary('owslib'),
  { debian: 'r-base-core', isThere: () => findProgram(['Rscript']) !== undefined },
  {
    debian: 'r-cran-curl',
    isThere: () => spawnSync('Rscript', ['-e', 'library(curl)']).status === 0,
  },
  { debian: 'gdal-bin', isThere: () => findProgram(['ogrinfo']) !== undefined },
  // Scripts are checked, and the manual page is read.
  ...['bash', 'shellcheck', 'mandoc'].map((debian) => ({
    debian,
    isThere: () => findProgram([debian]) !== undefined,
  })),
  ...(process.argv.includes('--release') ? OF_A_RELEASE : []),
];

/**
 * npm packages without their dependencies: the public tests of HTTP caches (BSD-3-Clause), which do not need theirs for
 * tests of proxies (all of npm is among them), a reader of CoverageJSON with its library (BSD-3-Clause), whose other
 * dependencies it does not load, and libraries that a recipe loads from a CDN (ISC, BSD-2-Clause).
 */
const NPM_PACKAGES = [
  {
    name: 'http-cache-tests@0.4.5',
    sha512:
      'DjuwN9nUZXLTW+wav1LRESCZNVxl8SshwOy4z1pxuWbWt5/ay6sM9QQ1lebBaDO6P1IMBoK6mdf+PuVP/QNL8A==',
  },
  {
    name: 'covjson-reader@0.16.3',
    sha512:
      'ExJOceRhs1cbMnuakAGKDpbTu52wcJtzb1pk+wY2cq6YZBkKmy5GdKeAU6bGnxGlOhJpukglJkMxnDL9FVgfeg==',
  },
  {
    name: 'covutils@0.6.1',
    sha512:
      'tvPwYwwXf29ZM+vVMmy+5VBYL0eTKqfXY7oUPXwgOWgX9Kjy2LMPkPvSTVIXmTm7E6qpp2FRWbLYIWLPaqlt9w==',
  },
  {
    name: 'ol@10.11.0',
    sha512:
      'OJ+lrx7kx/1O7Xx18Ff9QkVnwZIEL0OuhJQSy2sYgzzDvyZ2qHvuZEGAajbSstUyBwaS1OtQ4RWnY84tRMDdqg==',
  },
  {
    name: 'd3@7.9.0',
    sha512:
      'e1U46jVP+w7Iut8Jt8ri1YsPOvFpg46k+K8TpCb0P+zjCkjkPnV7WzfDJzMHy1LnA+wj5pLT1wjO901gLXeEhA==',
  },
  {
    name: '@observablehq/plot@0.6.17',
    sha512:
      '/qaXP/7mc4MUS0s4cPPFASDRjtsWp85/TbfsciqDgU1HwYixbSbbytNuInD8AcTYC3xaxACgVX06agdfQy9W+g==',
  },
];

/** A script that tells Debian's packages whether they may start services; exit code 101 forbids it. */
const SERVICE_POLICY = '/usr/sbin/policy-rc.d';

for (const { name, sha512 } of NPM_PACKAGES) {
  const folder = fetchedPackage(name);
  if (!existsSync(folder) && process.argv.includes('--install')) fetchPackage(name, sha512, folder);
  if (!existsSync(folder)) {
    fail(`npm run test:all needs ${name}: node tools/test-prerequisites.mjs --install`);
  }
}
let missing = missingPackages();
if (missing.length > 0 && process.argv.includes('--install')) {
  if (process.geteuid?.() !== 0 || findProgram(['apt-get']) === undefined) {
    fail('only root can install them, and only on Debian or Ubuntu');
  }
  install(missing);
  missing = missingPackages();
}
if (missing.length > 0) {
  const packages = missing.join(' ');
  fail(
    `npm run test:all needs programs that are not here; on Debian, as root: node tools/test-prerequisites.mjs --install (it installs ${packages}); elsewhere: tools/test.Containerfile`,
  );
}
for (const refusal of [mountRefusal(), straceRefusal()]) {
  if (refusal !== undefined) process.stderr.write(`tests that need it will not run: ${refusal}\n`);
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

/**
 * Unpacks a package, if npm sends the pinned bytes.
 *
 * @param {string} name
 * @param {string} sha512
 * @param {string} folder
 */
function fetchPackage(name, sha512, folder) {
  const directory = mkdtempSync(join(tmpdir(), 'bura-npm-package-'));
  try {
    const words = ['pack', '--silent', '--pack-destination', directory, name];
    spawnSync('npm', words, { stdio: ['ignore', 'ignore', 'inherit'] });
    const archive = join(directory, `${basename(folder)}.tgz`);
    if (!existsSync(archive)) return;
    const digest = createHash('sha512').update(readFileSync(archive)).digest('base64');
    if (digest !== sha512) fail(`${name} is another than the pinned one`);
    mkdirSync(folder, { recursive: true });
    spawnSync('tar', ['-xzf', archive, '-C', folder, '--strip-components=1']);
  } finally {
    rmSync(directory, { recursive: true });
  }
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
    spawnSync('systemctl', ['disable', '--quiet', '--now', ...services], { stdio: 'ignore' });
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
}

/** @param {string} line */
function fail(line) {
  process.stderr.write(`${line}\n`);
  process.exit(1);
}
