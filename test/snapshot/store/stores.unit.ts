/** The file store does what every store that can be written does. */
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { testStore } from '../../support/stores/store-behaviour.js';

testStore('file', (t) => {
  const root = t.testdir();
  return Promise.resolve({
    address: `file:${root}`,
    names: () => readdir(join(root, 'sepa', 'snapshots')).catch(() => []),
    writePointer: (text) => writeFile(join(root, 'sepa', 'active.json'), text),
  });
});
