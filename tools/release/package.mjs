/**
 * Before `npm pack` (`node tools/release/package.mjs prepack`) changes manifests so that the package, installed
 * anywhere, has the tree that was tested; `postpack` puts them back (`docs/contributing.md`, "Release").
 *
 * npm heeds `overrides` and `allowScripts` in the project that it installs into, not in a package that it installs
 * there, and a shrinkwrap not in a file. So the package holds what it needs (`bundleDependencies`), with manifests that
 * ask for what is there: npm would call what `overrides` replaces invalid otherwise, and fetch the stale versions at its
 * next turn. Binaries for one system alone are not in it. npm fetches those of the system that it runs on, in exactly
 * the locked version: as `optionalDependencies` of the package itself, or of a library that is little else.
 */
import { existsSync } from 'node:fs';
import { readFile, rename, writeFile } from 'node:fs/promises';

/** Packages of little but binaries, which they name in exact versions. */
const FETCHED = ['uWebSockets.js', 'uWebSockets.js-current'];

/** Members that only development needs. */
const DEVELOPMENT = ['scripts', 'devDependencies', 'overrides', 'allowScripts', 'scarfSettings'];

const { packages } = JSON.parse(await readFile('package-lock.json', 'utf8'));
const { overrides } = JSON.parse(await readFile('package.json', 'utf8'));

/** Names of packages that another version takes the place of. */
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
  // Where the last time was cut short.
  await restore();
  const optionalDependencies = {};
  for (const path of bundled) {
    await rewrite(path, (manifest) => {
      Object.assign(optionalDependencies, fetchedFor(manifest, path));
      for (const name of Object.keys(manifest.dependencies ?? {})) {
        if (replaced.has(name)) manifest.dependencies[name] = lockedFor(path, name).version;
      }
      // Others depend on the rest as well.
      for (const name of Object.keys(manifest.optionalDependencies ?? {})) {
        if (!isPacked(lockedFor(path, name))) delete manifest.optionalDependencies[name];
      }
      // npm would run them, and compile a package that has no binaries.
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

/** Binaries that a package would have fetched, and that are not declined because they run a script. */
function fetchedFor({ optionalDependencies = {} }, path) {
  const found = Object.keys(optionalDependencies).map((name) => [name, lockedFor(path, name)]);
  return Object.fromEntries(
    found
      .filter(([, locked]) => locked?.optional === true && !locked.hasInstallScript)
      .filter(([, { os = ['linux'] }]) => os.includes('linux'))
      .map(([name, { version }]) => [name, version]),
  );
}

/** Where something else that is packed depends on it as well. */
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

/** The former text lies beside it, under a name that is never packed. */
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
