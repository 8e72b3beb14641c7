/** Builds the tests in a copy of the tree that Stryker has made below this one, with the packages of this one. */
import { spawnSync } from 'node:child_process';
import { rmSync, symlinkSync } from 'node:fs';

symlinkSync('../../node_modules', 'node_modules');
const { status } = spawnSync('npm', ['run', 'build:test'], { stdio: 'inherit' });
// Stryker makes its own link.
rmSync('node_modules');
process.exitCode = status ?? 1;
