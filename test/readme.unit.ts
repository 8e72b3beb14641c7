/** The README and the pages of `docs/` against what they describe: settings, commands, routes, the example. */
import { readFile } from 'node:fs/promises';
import t from 'tap';
import { DOCUMENTED_ENDPOINTS } from '../src/http/routes/routes.js';
import { SETTING_FLAGS } from '../src/settings.js';
import { readSnapshot } from '../src/snapshot/document/read.js';
import { runBura } from './support/service/command.js';
import { inChunks } from './support/documents/documents.js';

/** The text under `## title` of a page, up to the next heading of that rank. */
async function section(page: string, title: string): Promise<string> {
  const parts = (await readFile(page, 'utf8')).split(/^## /m);
  const text = parts.find((part) => part.startsWith(`${title}\n`));
  if (text === undefined) throw new Error(`no section ${title}`);
  return text;
}

void t.test('lists every setting with its default and its meaning', async (t) => {
  const text = await section('docs/operations/settings.md', 'All settings');
  const items = text.replace(/\n {2}/g, ' ').matchAll(/^- (`[A-Z_]+`) \((.*?)\): (.*)$/gm);
  t.same(
    [...items].map((item) => item.slice(1).map((cell) => cell.replaceAll('`', ''))),
    SETTING_FLAGS.map(({ variable, shownDefault, meaning }) => [variable, shownDefault, meaning]),
  );
});

void t.test('lists every path and no other', async (t) => {
  const text = await section('docs/http-api.md', 'All paths');
  const listed = [...text.matchAll(/^\| (`.*?) \| /gm)].flatMap(([, paths = '']) =>
    [...paths.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path),
  );
  t.same(listed.toSorted(), DOCUMENTED_ENDPOINTS.map(({ path }) => path).toSorted());
});

void t.test('shows every command', async (t) => {
  const text = await section('docs/operations/installing.md', 'Commands and exit codes');
  const shown = [...text.matchAll(/^npx bura (\w+)/gm)].map(([, name = '']) => name);
  const { stdout } = await runBura(['--help']);
  const listed = [...stdout.matchAll(/^ {2}([a-z]+) \[options\]/gm)].map(([, name = '']) => name);
  t.same(shown.toSorted(), listed.toSorted());
});

void t.test('shows a document that can be published as it stands', async (t) => {
  const text = await section('docs/snapshot-format.md', 'Snapshot documents');
  const [, json = ''] = /```json\n([^]*?)```/.exec(text) ?? [];
  const { header, observations } = await readSnapshot(inChunks(Buffer.from(json), 1000));
  t.equal(header.snapshotId, 'example-1');
  t.equal(observations.hours.length, 2);
});
