/**
 * Writes the file `copyright` of the Debian package: `node tools/release/copyright.mjs FOLDER TEMPLATE`, with the
 * service's licence and those of the libraries below FOLDER.
 */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

const [folder, template] = process.argv.slice(2);
if (template === undefined)
  throw new Error('usage: node tools/release/copyright.mjs FOLDER TEMPLATE');

const { version } = JSON.parse(await readFile('package.json', 'utf8'));
const [, licence] = /Copyright \(c\)[^\n]*\n\n([^]*)$/.exec(await readFile('LICENSE', 'utf8'));
const expat = licence
  .trimEnd()
  .split('\n')
  .map((line) => ` ${line === '' ? '.' : line}`);

const libraries = new Set();
for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
  const parent = entry.parentPath ?? entry.path;
  if (entry.name !== 'package.json' || !/node_modules\/(?:@[^/]+\/)?[^/]+$/.test(parent)) continue;
  const manifest = JSON.parse(await readFile(join(parent, entry.name), 'utf8'));
  const { name, version, license, licenses = [] } = manifest;
  const stated = license?.type ?? license ?? licenses.map(({ type }) => type).join(' or ');
  if (name !== 'bura') libraries.add(` ${name} ${version}: ${stated}`);
}

const text = await readFile(template, 'utf8');
process.stdout.write(
  text
    .replace('VERSION', version)
    .replace('EXPAT', expat.join('\n'))
    .replace('LICENCES', [...libraries].sort().join('\n')),
);
