/**
 * The pages of `docs/` against the repository: citations in comments, links, and names of files lead somewhere.
 *
 * A comment cites a page by its name and a heading, as in `docs/http-api/answers.md, "Entity tags"`.
 */
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';
import t from 'tap';

const SOURCES = ['src', 'test', 'bench', 'tools', 'data', 'docs', '.ci'];

interface Text {
  readonly file: string;
  /** On one line, without what begins the lines of a comment: a citation may be broken between two. */
  readonly text: string;
}

async function read(file: string): Promise<Text> {
  const content = await readFile(file, 'utf8');
  const prose = file.endsWith('.md') ? content.replace(/^```[^]*?^```$/gm, '') : content;
  return { file, text: prose.replace(/\s*\n\s*(?:\*(?!\/)|\/\/|#)?\s*/g, ' ') };
}

const entries = await Promise.all(
  SOURCES.map((folder) => readdir(folder, { recursive: true, withFileTypes: true })),
);
const listed = entries
  .flat()
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name));
const scripts = listed.filter((file) => /\.(?:ts|mjs|css|liquid)$/.test(file));
const pages = [
  // Texts of the service lead to its own paths.
  ...listed.filter((file) => file.endsWith('.md') && !/^test\/fixtures|\/texts\//.test(file)),
  ...(await readdir('.')).filter((file) => file.endsWith('.md')),
];
const written = await Promise.all(pages.map(read));
const all = [...(await Promise.all(scripts.map(read))), ...written];

/** Headings of a page as they are written, without blocks of code, where a `#` is a comment. */
const headings = new Map<string, readonly string[]>();
for (const page of pages) {
  const text = (await readFile(page, 'utf8')).replace(/^```[^]*?^```$/gm, '');
  const found = [...text.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => heading.trim());
  headings.set(page, found);
}

/** The anchor that GitHub gives a heading. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
}

/** Findings of `find`, each with its file. */
function problems(texts: readonly Text[], find: (text: Text) => Iterable<string>): string[] {
  return texts.flatMap((text) => [...find(text)].map((problem) => `${text.file}: ${problem}`));
}

void t.test('cites only pages and headings that are there', async (t) => {
  const wrong = problems(all, function* ({ text }) {
    for (const [citation, page = '', heading] of text.matchAll(
      /\b(docs\/[\w./-]+\.md)\b(?:`?, "([^"]+)")?/g,
    )) {
      if (page.startsWith('docs/PAGE')) continue;
      const isThere = heading === undefined || (headings.get(page) ?? []).includes(heading);
      if (!existsSync(page) || !isThere) yield citation;
    }
  });
  t.same(wrong, []);
});

void t.test('links only to files and anchors that are there', async (t) => {
  const wrong = problems(written, function* ({ file, text }) {
    for (const [, target = ''] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^[a-z]+:/.test(target)) continue;
      const [path = '', anchor] = target.split('#');
      const linked = path === '' ? file : normalize(join(dirname(file), path));
      const anchors = (headings.get(linked) ?? []).map(anchorOf);
      if (!existsSync(linked) || (anchor !== undefined && !anchors.includes(anchor))) yield target;
    }
  });
  t.same(wrong, []);
});

void t.test('names only files and folders that are there', async (t) => {
  // Pages about sources of data name files of other repositories.
  const own = written.filter(({ file }) => !file.startsWith('data/'));
  const wrong = problems(own, function* ({ text }) {
    for (const [, path = ''] of text.matchAll(/`((?:src|test|bench|tools|data)\/[\w./-]*)`/g)) {
      // Results of benches are written by a run, and not kept.
      if (!existsSync(path) && !path.startsWith('bench/results/')) yield path;
    }
  });
  t.same(wrong, []);
});

void t.test('no page is longer than 20 kB, and the first of a folder lists it', async (t) => {
  for (const page of pages.filter((page) => page.startsWith('docs/'))) {
    t.ok((await readFile(page)).length <= 20_000, page);
  }
  for (const group of ['http-api', 'operations']) {
    const text = await readFile(`docs/${group}.md`, 'utf8');
    const names = await readdir(`docs/${group}`);
    t.same(
      names.filter((page) => !text.includes(`](${group}/${page})`)),
      [],
      group,
    );
  }
});
