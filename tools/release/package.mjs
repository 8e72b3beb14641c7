/**
 * `node tools/release/package.mjs prepack`, run before `npm pack`, changes manifests so that the package, installed
 * anywhere, has the tree that was tested; `postpack` restores them (`docs/contributing.md`, "Release").
 *
 * npm applies `overrides` and `allowScripts` only from the project that it installs into, and ignores the shrinkwrap of
 * a package that is installed from a file. So the package contains its dependencies (`bundleDependencies`), whose
 * manifests ask for exactly the versions that are there: otherwise npm would call overridden versions invalid, and
 * fetch the stale ones at its next run. Binaries for one system only are not in the package. npm fetches those of its
 * own system in exactly the locked version, as `optionalDependencies` of the package itself, or of a library that is
 * little else.
 */
import { existsSync } from 'node:fs';
import { readFile, rename, writeFile } from 'node:fs/promises';

/** Libraries that are little but binaries, which they name in exact versions; npm fetches them. */
const FETCHED = ['uWebSockets.js', 'uWebSockets.js-current'];

/** Members that only development needs. */
const DEVELOPMENT = ['scripts', 'devDependencies', 'overrides', 'allowScripts', 'scarfSettings'];

const { packages } = JSON.parse(await readFile('package-lock.json', 'utf8'));
const { overrides } = JSON.parse(await readFile('package.json', 'utf8'));

/** Names of packages whose version is overridden. */
const replaced = new Set(
  Object.entries(overrides ?? {}).flatMap(([name, by]) =>
    typeof by === 'string' ? [name] : Object.keys(by),
  ),
);

/** Folders of the packages that are packed. */
const bundled = Object.keys(packages).filter((path) => {
  const { dev, optional } = packages[path];
  return path !== '' && !dev && !optional && !FETCHED.some((name) => path.endsWith(`/${name}`));
});

if (process.argv[2] === 'prepack') await prepack();
else await restore();

async function prepack() {
  // An earlier run may have been interrupted.
  await restore();
  const optionalDependencies = {};
  for (const path of bundled) {
    await rewrite(path, (manifest) => {
      Object.assign(optionalDependencies, fetchedFor(manifest, path));
      for (const name of Object.keys(manifest.dependencies ?? {})) {
        if (replaced.has(name)) manifest.dependencies[name] = lockedFor(path, name).version;
      }
      // Optional dependencies that are packed stay: other packages depend on them too.
      for (const name of Object.keys(manifest.optionalDependencies ?? {})) {
        if (!isPacked(lockedFor(path, name))) delete manifest.optionalDependencies[name];
      }
      // npm would run these scripts, and compile a package that has no binaries.
      for (const script of ['preinstall', 'install', 'postinstall']) {
        delete manifest.scripts?.[script];
      }
      if (existsSync(`${path}/binding.gyp`)) manifest.gypfile = false;
    });
  }
  await rewrite('.', (manifest) => {
    for (const member of DEVELOPMENT) delete manifest[member];
    manifest.bundleDependencies = Object.keys(manifest.dependencies).filter(
      (name) => !FETCHED.includes(name),
    );
    manifest.optionalDependencies = optionalDependencies;
  });
}

/** Binaries for Linux that npm would fetch for a package; those with an install script are refused. */
function fetchedFor({ optionalDependencies = {} }, path) {
  const found = Object.keys(optionalDependencies).map((name) => [name, lockedFor(path, name)]);
  return Object.fromEntries(
    found
      .filter(([, locked]) => locked?.optional === true && !locked.hasInstallScript)
      .filter(([, { os = ['linux'] }]) => os.includes('linux'))
      .map(([name, { version }]) => [name, version]),
  );
}

/** Whether a package is packed, because another packed package depends on it. */
function isPacked(locked) {
  return locked !== undefined && !locked.optional;
}

/** The package that a package at `path` gets by a name: from its own `node_modules`, or from the nearest above. */
function lockedFor(path, name) {
  const folders = path.split('/node_modules/');
  const places = folders.map((_, index) => [...folders.slice(0, index + 1), name]);
  return [[`node_modules/${name}`], ...places]
    .map((place) => packages[place.join('/node_modules/')])
    .findLast((locked) => locked !== undefined);
}

/** Changes a manifest; keeps the old text as `package.json.orig`, which is never packed. */
async function rewrite(path, change) {
  const file = `${path}/package.json`;
  const before = await readFile(file, 'utf8');
  const manifest = JSON.parse(before);
  change(manifest);
  const after = `${JSON.stringify(manifest, undefined, 2)}\n`;
  if (JSON.stringify(JSON.parse(before)) === JSON.stringify(manifest)) return;
  // A new file, since other checkouts may share the old one.
  await writeFile(`${file}.new`, after);
  await rename(file, `${file}.orig`);
  await rename(`${file}.new`, file);
}

async function restore() {
  for (const path of ['.', ...bundled]) {
    const file = `${path}/package.json`;
    if (existsSync(`${file}.orig`)) await rename(`${file}.orig`, file);
  }
}
