/** The README and the pages of `docs/` against what they describe: settings, commands, routes, the tree, the example. */
import { stat, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { DOCUMENTED_ENDPOINTS } from '../src/http/routes/routes.js';
import { SETTING_FLAGS } from '../src/settings.js';
import { readSnapshot } from '../src/snapshot/document/read.js';
import { runBura } from './support/service/command.js';
import { inChunks } from './support/documents/documents.js';

/** An item of the list of settings: variable, default, meaning. */
const SETTING = /^- (`[A-Z_]+`) \((.*?)\): (.*)$/gm;

const README = await readFile('README.md', 'utf8');
const ARCHITECTURE = await readFile('docs/architecture.md', 'utf8');
const SETTINGS = await readFile('docs/operations/settings.md', 'utf8');
const SNAPSHOT_FORMAT = await readFile('docs/snapshot-format.md', 'utf8');

/** The text under `## title`, up to the next heading of that rank. */
function section(title: string, page = README): string {
  const text = page.split(/^## /m).find((part) => part.startsWith(`${title}\n`));
  if (text === undefined) throw new Error(`no section ${title}`);
  return text;
}

/** Cells of the rows of a section's tables, trimmed, without the first head. */
function tableRows(title: string): readonly (readonly string[])[] {
  const rows = [...section(title).matchAll(/^\| (.*) \|$/gm)].map(([, row = '']) =>
    row.split(' | ').map((cell) => cell.trim()),
  );
  return rows.slice(2);
}

function withoutTicks(cell: string): string {
  return cell.replaceAll('`', '');
}

void t.test('lists every setting with its default and its meaning', async (t) => {
  const items = section('All settings', SETTINGS)
    .replace(/\n {2}/g, ' ')
    .matchAll(SETTING);
  t.same(
    [...items].map((item) => item.slice(1).map(withoutTicks)),
    SETTING_FLAGS.map(({ variable, shownDefault, meaning }) => [variable, shownDefault, meaning]),
  );
});

void t.test('lists every path and no other', async (t) => {
  const listed = tableRows('What it answers').flatMap(([paths = '']) =>
    [...paths.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path),
  );
  t.same(listed.toSorted(), DOCUMENTED_ENDPOINTS.map(({ path }) => path).toSorted());
});

void t.test('shows every command, each of which explains itself', async (t) => {
  const shown = [...section('Commands').matchAll(/^npx bura (\w+)/gm)].map(([, name = '']) => name);
  const { stdout } = await runBura(['--help']);
  const listed = [...stdout.matchAll(/^ {2}([a-z]+) \[options\]/gm)].map(([, name = '']) => name);
  t.same(shown.toSorted(), listed.toSorted());
  for (const name of shown) t.equal((await runBura([name, '--help'])).code, 0, name);
});

void t.test('names only files and folders that are there', async (t) => {
  const [, tree = ''] = /```\n(src\/[^]*?)```/.exec(section('Rooms', ARCHITECTURE)) ?? [];
  const above: string[] = [];
  let named = 0;
  for (const line of tree.split('\n')) {
    const [, indent = '', names] = /^( *)((?:[\w.-]+(?:\/|\.ts)(?: |$))+)/.exec(line) ?? [];
    if (names === undefined) continue;
    above.length = indent.length / 2;
    for (const name of names.trim().split(' ')) {
      const path = join(...above, name);
      await t.resolves(stat(path), path);
      named += 1;
    }
    above.push(names.split(' ').find((name) => name.endsWith('/')) ?? '');
  }
  t.ok(named > 30, `${named} names`);
});

void t.test('shows a document that can be published as it stands', async (t) => {
  const [, json = ''] =
    /```json\n([^]*?)```/.exec(section('Snapshot documents', SNAPSHOT_FORMAT)) ?? [];
  const { header, observations } = await readSnapshot(inChunks(Buffer.from(json), 1000));
  t.equal(header.snapshotId, 'example-1');
  t.equal(observations.hours.length, 2);
});

void t.test('is short, and its lines fit a screen', async (t) => {
  t.ok(Buffer.byteLength(README) <= 9000, `${Buffer.byteLength(README)} bytes`);
  const prose = README.split('\n').filter((line) => !line.startsWith('|'));
  t.same(
    prose.filter((line) => line.length > 120),
    [],
  );
});
