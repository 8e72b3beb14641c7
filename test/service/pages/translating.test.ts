/** `docs/translating.md`, followed line by line: its commands are run as they stand there. */
import { execFile } from 'node:child_process';
import { cp, readFile, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';
import { snapshotDocument } from '../../support/documents/documents.js';
import { COMMAND } from '../../support/service/command.js';
import { get } from '../../support/service/requests.js';
import { makeRoot, publish, startService } from '../../support/service/service.js';

const text = await readFile('docs/translating.md', 'utf8');

/** The shell blocks of a chapter, a command each line. */
function commandsOf(chapter: string): readonly string[] {
  const [, rest = ''] = text.split(`\n## ${chapter}\n`);
  const [body = ''] = rest.split('\n## ');
  return [...body.matchAll(/```sh\n([^]*?)```/g)].flatMap(([, block = '']) =>
    block.trim().split(/\s*\n\s*/),
  );
}

for (const chapter of ['A first sentence of your own', 'A language from nothing']) {
  void t.test(chapter, async (t) => {
    const root = await makeRoot(t);
    const folder = join(root, 'project');
    await cp('texts', join(folder, 'texts'), { recursive: true });
    await symlink(resolve('build'), join(folder, 'build'));
    const commands = commandsOf(chapter);
    const isLanguage = commands.some((command) => command.includes('--language es'));
    const settings: Record<string, string> = {};
    for (const command of commands) {
      if (!command.includes('bura serve')) {
        const line = command.replace(/^(?:npx )?bura\b/, `"${process.execPath}" "${COMMAND}"`);
        // A language that has only begun is not right yet, but can be served.
        const isUnfinished = isLanguage && command.includes('texts check');
        const script = isUnfinished ? `${line} || echo "exit code $?"` : line;
        const { stdout } = await promisify(execFile)('sh', ['-c', script], { cwd: folder });
        if (isUnfinished) {
          const unfinished =
            /portal\.ftl:\d+: \d+ of \d+ texts are still in English[^]*exit code 1\n$/;
          t.match(stdout, unfinished);
          t.notMatch(stdout, /is missing|nobody/);
        }
        continue;
      }
      for (const [, name = '', value = ''] of command.matchAll(/([A-Z_]+)=(\S+)/g)) {
        settings[name] = name === 'TEXTS_DIR' ? join(folder, value) : value;
      }
    }
    const own = join(folder, 'my-texts');
    const file = join(own, isLanguage ? 'es/layout.ftl' : 'en/terms.md');
    const changed = await readFile(file, 'utf8');
    await writeFile(file, changed.replaceAll(/Terms of use$/gm, 'Words of our own'));
    await publish({ root }, snapshotDocument());
    const service = await startService(t, { root, env: settings });
    await service.waitForLog('activated');
    const page = await get(service, isLanguage ? '/' : '/legal/terms?language=en');
    t.match(page.body.toString(), 'Words of our own');
    t.equal(page.headers['content-language'], isLanguage ? 'es' : 'en');
    t.ok(commands.some((command) => command.includes('bura texts check my-texts')));
  });
}
