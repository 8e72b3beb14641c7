/**
 * Adds the HTTP library's binaries for every supported Node to an installation, and verifies all binaries by
 * package-lock.json: `node tools/release/binaries.mjs FOLDER`, where FOLDER contains `node_modules`.
 *
 * A Debian package is for one architecture and any Node of the machine. npm fetches packages that ours does not contain
 * by their version alone, so each is fetched again, and refused if its digest is not the locked one.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('usage: node tools/release/binaries.mjs FOLDER');

const { packages } = JSON.parse(await readFile('package-lock.json', 'utf8'));
const supported = packages[''].engines.node.match(/\d+(?=\.\d+\.\d+)/g).join('|');
const binary = new RegExp(`/@uwsjs/linux-${process.arch}-(?:${supported})$`);

for (const [path, { version, integrity, optional }] of Object.entries(packages)) {
  const target = join(folder, path);
  if (!binary.test(path) && !(optional === true && existsSync(target))) continue;
  if (integrity === undefined) throw new Error(`package-lock.json has no digest of ${path}`);
  const scratch = await mkdtemp(join(tmpdir(), 'bura-binary-'));
  try {
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    const packing = ['pack', `${name}@${version}`, '--pack-destination', scratch, '--json'];
    const [{ filename }] = JSON.parse(execFileSync('npm', packing, { encoding: 'utf8' }));
    const file = join(scratch, filename);
    const digest = createHash('sha512')
      .update(await readFile(file))
      .digest('base64');
    if (integrity !== `sha512-${digest}`) {
      throw new Error(`${name}@${version} is not what package-lock.json names`);
    }
    await rm(target, { recursive: true, force: true });
    await mkdir(target, { recursive: true });
    execFileSync('tar', ['-xzf', file, '--strip-components=1', '-C', target]);
  } finally {
    await rm(scratch, { recursive: true });
  }
}
