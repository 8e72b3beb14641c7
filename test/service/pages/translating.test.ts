/** The chapter of a new language in `docs/translating.md`: its commands are run as they stand there. */
import { execFile } from 'node:child_process';
import { cp, readFile, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';
import { snapshotDocument } from '../../support/documents/documents.js';
import { COMMAND } from '../../support/service/command.js';
import { get } from '../../support/service/requests.js';
import { makeRoot, publish, startService } from '../../support/service/service.js';

void t.test('a language from nothing', async (t) => {
  const root = await makeRoot(t);
  const folder = join(root, 'project');
  await cp('texts', join(folder, 'texts'), { recursive: true });
  await symlink(resolve('build'), join(folder, 'build'));
  const text = await readFile('docs/translating.md', 'utf8');
  const chapter = text.split('\n## A language from nothing\n')[1]?.split('\n## ')[0] ?? '';
  const blocks = [...chapter.matchAll(/```sh\n([^]*?)```/g)].map(([, block = '']) => block.trim());
  const [init = '', check = '', ...served] = blocks;
  t.same(served, ['TEXTS_DIR=my-texts DEFAULT_LANGUAGE=es bura serve']);
  const run = async (command: string): Promise<string> => {
    const line = command.replace(/^bura\b/, `"${process.execPath}" "${COMMAND}"`);
    return (await promisify(execFile)('sh', ['-c', line], { cwd: folder })).stdout;
  };
  await run(init);
  // A language that has only begun is not right yet, but can be served.
  const said = await run(`${check} || echo "exit code $?"`);
  t.match(said, /portal\.ftl:\d+: \d+ of \d+ texts are still in English[^]*exit code 1\n$/);
  t.notMatch(said, /is missing|nobody/);
  const own = join(folder, 'my-texts');
  const layout = join(own, 'es/layout.ftl');
  const messages = await readFile(layout, 'utf8');
  await writeFile(layout, messages.replaceAll(/Terms of use$/gm, 'Words of our own'));
  await publish({ root }, snapshotDocument());
  const env = { TEXTS_DIR: own, DEFAULT_LANGUAGE: 'es' };
  const service = await startService(t, { root, env });
  await service.waitForLog('activated');
  const page = await get(service, '/');
  t.match(page.body.toString(), 'Words of our own');
  t.equal(page.headers['content-language'], 'es');
});
