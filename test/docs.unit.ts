/**
 * The pages of `docs/` against the repository: citations in comments, links, and names of files lead somewhere.
 *
 * A comment cites a page by its name and a heading, as in `docs/http-api/answers.md, "Entity tags"`.
 */
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';
import t from 'tap';
import ts from 'typescript';

const SOURCES = ['src', 'test', 'bench', 'tools', 'data', 'docs', '.ci'];
const ROOT_FILES = ['build-assets.mjs', 'eslint.config.js', '.dependency-cruiser.cjs'];

/** What the repository does not have, in the words with which comments used to cite it. */
const FOREIGN = [
  /\bcontract(?:'s)? ?§/,
  /\bthe contract\b/,
  /\bspec\b(?!\.(?:openapis|whatwg))/,
  /\bpitfalls? [A-Z]\d/,
  /\b(?:faults|conventions|style)\.md\b/,
  /\((?:faults|conventions)\b/,
  /\bstyle page\b/,
  /\.\.\/shared\b/,
];

/** What is looked for in comments: pages of `docs/`, and the words above. */
const LOOKED_FOR = [/\bdocs\/[\w./-]+\.md\b/, ...FOREIGN];

/** A comment that has to name such words itself: none but this file's table has. */
const SELF = 'test/docs.unit.ts';

interface Text {
  readonly file: string;
  /** All comments of a file on one line; of a page everything that is no block of code. */
  readonly text: string;
}

async function filesBelow(directory: string): Promise<readonly string[]> {
  if (!existsSync(directory)) return [];
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** Every comment of a script, found by its compiler, so that no text or regular expression is taken for one. */
function commentsOf(file: string, text: string): string {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const comments = new Map<number, string>();
  const visit = (node: ts.Node): void => {
    const ranges = [
      ...(ts.getLeadingCommentRanges(text, node.getFullStart()) ?? []),
      ...(ts.getTrailingCommentRanges(text, node.getEnd()) ?? []),
    ];
    for (const { pos, end } of ranges) comments.set(pos, text.slice(pos, end));
    for (const child of node.getChildren(source)) visit(child);
  };
  visit(source);
  return onOneLine([...comments.values()].join('\n'));
}

/** Without what begins the lines of a comment, since a citation may be broken between two of them. */
function onOneLine(text: string): string {
  return text.replace(/\s*\n\s*(?:\*(?!\/)|\/\/|#)?\s*/g, ' ');
}

/** A page without its blocks of code; for the rest a line break is a blank. */
function proseOf(page: string): string {
  return onOneLine(page.replace(/^```[^]*?^```$/gm, ''));
}

async function read(file: string): Promise<Text> {
  const content = await readFile(file, 'utf8');
  if (/\.(?:ts|mjs|cjs|js)$/.test(file)) {
    // To parse takes long, and most files have nowhere what is looked for in comments.
    const mayCite = LOOKED_FOR.some((pattern) => pattern.test(onOneLine(content)));
    return { file, text: mayCite ? commentsOf(file, content) : '' };
  }
  if (file.endsWith('.md')) return { file, text: proseOf(content) };
  return { file, text: onOneLine(content) };
}

const listed = (await Promise.all(SOURCES.map(filesBelow))).flat();
const scripts = listed.filter((file) => /\.(?:ts|mjs|css|liquid)$/.test(file));
const pages = [
  // Texts of the service lead to its own paths.
  ...listed.filter((file) => file.endsWith('.md') && !/^test\/fixtures|\/texts\//.test(file)),
  ...(await readdir('.')).filter((file) => file.endsWith('.md')),
];
const commented = await Promise.all([...scripts, '.ci/run', ...ROOT_FILES].map(read));
const written = await Promise.all(pages.map(read));

/** Headings of a page as they are written, without blocks of code, where a `#` is a comment. */
async function headingsOf(page: string): Promise<readonly string[]> {
  if (!existsSync(page)) return [];
  const text = (await readFile(page, 'utf8')).replace(/^```[^]*?^```$/gm, '');
  return [...text.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => heading.trim());
}

const headings = new Map<string, readonly string[]>();
for (const page of pages) headings.set(page, await headingsOf(page));

/** The anchor that GitHub gives a heading. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
}

/** What `find` reports, each with its file. */
function problems(texts: readonly Text[], find: (text: Text) => Iterable<string>): string[] {
  return texts.flatMap((text) => [...find(text)].map((problem) => `${text.file}: ${problem}`));
}

void t.test('cites only pages and headings that are there', async (t) => {
  const wrong = problems([...commented, ...written], function* ({ text }) {
    for (const [citation, page = '', heading = ''] of text.matchAll(
      /\b(docs\/[\w./-]+\.md)`?, "([^"]+)"/g,
    )) {
      if (!(headings.get(page) ?? []).includes(heading)) yield citation;
    }
  });
  t.same(wrong, []);
});

void t.test('names only pages that are there', async (t) => {
  const wrong = problems([...commented, ...written], function* ({ text }) {
    for (const [page] of text.matchAll(/\bdocs\/[\w./-]+\.md\b/g)) {
      if (!existsSync(page) && !page.startsWith('docs/PAGE')) yield page;
    }
  });
  t.same(wrong, []);
});

void t.test('cites nothing that the repository does not have', async (t) => {
  const others = commented.filter(({ file }) => file !== SELF);
  const wrong = problems([...others, ...written], function* ({ text }) {
    for (const pattern of FOREIGN) {
      for (const { index } of text.matchAll(new RegExp(pattern, 'g'))) {
        yield text.slice(Math.max(0, index - 20), index + 40);
      }
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
      if (!existsSync(linked)) yield target;
      else if (anchor !== undefined && !(headings.get(linked) ?? []).map(anchorOf).includes(anchor))
        yield target;
    }
  });
  t.same(wrong, []);
});

void t.test('the first page of each group lists all pages of its folder', async (t) => {
  for (const group of ['http-api', 'operations']) {
    const text = await readFile(`docs/${group}.md`, 'utf8');
    const missing = (await readdir(`docs/${group}`)).filter(
      (page) => !text.includes(`](${group}/${page})`),
    );
    t.same(missing, [], group);
  }
});

/** Where a command leads that only a clone of the sources has. */
const IN_A_CLONE =
  /\bnpm (?:ci|run|start|test)\b|\bnpx (?:bura|tap)\b|\bnode (?:dist|tools)\/|\bdist\/cli\.js/;

/** What the packages hold, beside the command, is elsewhere in each (`docs/operations/installing.md, "Where the files are"`). */
const WHERE_FILES_ARE = 'installing.md#where-the-files-are';

/** Folders of the repository that are in the packages, as `package.json` lists them. */
const { files: packed } = JSON.parse(await readFile('package.json', 'utf8')) as {
  readonly files: readonly string[];
};
const folders = (await readdir('.', { withFileTypes: true })).flatMap((entry) =>
  entry.isDirectory() && /^[a-z]+$/.test(entry.name) ? [entry.name] : [],
);

/** Figures of measurements, which a clone has made. */
const FOR_CONTRIBUTORS = /^docs\/(?:decisions|performance)\//;

/** Lines of shell blocks, and code in a line that begins as a command. */
function* commandsIn(section: string): Generator<string> {
  for (const [, block = ''] of section.matchAll(/```sh\n([^]*?)```/g)) yield* block.split('\n');
  for (const [, code = ''] of section.replaceAll(/```[^]*?```/g, '').matchAll(/`([^`\n]+)`/g)) {
    if (/^(?:npm|npx|node|sh|bash|bura|docker|kubectl|cp|install) /.test(code)) yield code;
  }
}

void t.test('commands work with the packages, or are said to be for a clone', async (t) => {
  const wrong: string[] = [];
  for (const page of pages.filter((page) => /^(?:README|docs\/.*)\.md$/.test(page))) {
    const text = await readFile(page, 'utf8');
    if (FOR_CONTRIBUTORS.test(page) || /^For contributors/m.test(text.slice(0, 500))) continue;
    for (const section of text.split(/^(?=## )/m)) {
      if (/\bclone\b/.test(section)) continue;
      for (const command of commandsIn(section)) {
        const named = folders.filter((name) =>
          new RegExp(`(?:^|[\\s="])${name}/[\\w.-]`).test(command),
        );
        const isPacked = named.every((name) => packed.some((one) => one.split('/')[0] === name));
        const isFound = named.length === 0 || (isPacked && section.includes(WHERE_FILES_ARE));
        if (IN_A_CLONE.test(command) || !isFound) wrong.push(`${page}: ${command}`);
      }
    }
  }
  t.same(wrong, []);
});

void t.test('no page is longer than 20 kB', async (t) => {
  for (const page of pages.filter((page) => page.startsWith('docs/')))
    t.ok((await readFile(page)).length <= 20_000, page);
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
