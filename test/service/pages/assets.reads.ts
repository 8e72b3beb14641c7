/** Files that pages load: every one that another one names is served, and the licences of bundled code. */
import { readFile } from 'node:fs/promises';
import t from 'tap';
import { needsCharset } from '../api/openapi-reader.js';
import { get } from '../../support/service/requests.js';
import { sharedService } from '../../support/service/shared-service.js';

/** Names of the build with a digest, and licences of a bundle. */
const ASSET_NAME = /[\w.-]+-[0-9A-Z]{8}\.\w+(?:\.LEGAL\.txt)?/g;

void t.test('every file that an asset names is served, and every licence', async (t) => {
  const service = await sharedService();
  const { files } = JSON.parse(await readFile('build/src/assets/manifest.json', 'utf8')) as {
    readonly files: Readonly<Record<string, { readonly file: string }>>;
  };
  const names = new Set(Object.values(files).map(({ file }) => file));
  const licences = new Set<string>();
  let legal = '';
  // The set grows during the loop: files that files name are served too.
  for (const name of names) {
    const { status, headers, body } = await get(service, `/assets/${name}`);
    t.equal(status, 200, name);
    const type = headers['content-type'] ?? '';
    t.ok(!needsCharset(type) || type.endsWith('; charset=utf-8'), `${name}: ${type}`);
    const text = body.toString();
    for (const [named] of text.matchAll(ASSET_NAME)) names.add(named);
    for (const [, named = ''] of text.matchAll(/license information please see (\S+)/g)) {
      if (!named.endsWith('.LEGAL.txt')) licences.add(named);
    }
    if (!name.endsWith('.LEGAL.txt')) continue;
    t.equal(type, 'text/plain; charset=utf-8');
    t.match(text, /DOMPurify/, 'the licences themselves');
    legal += text;
  }
  // A bundle inside a bundle names a file beside it, whose text is in ours.
  for (const named of licences) t.match(legal, `${named}:\n`);
});
