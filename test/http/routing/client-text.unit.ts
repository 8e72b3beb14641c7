/** The cost of a client's text on the front thread: no pattern backtracks over it. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { analyse } from 'scslre';
import t from 'tap';
import ts from 'typescript';

void t.test('every pattern of the front takes steps in proportion to its text', async (t) => {
  let patterns = 0;
  for (const file of await frontSources()) {
    for (const { source, flags, line } of await patternsOf(file)) {
      patterns += 1;
      // As if what follows a match never fitted: the worst that a search can meet.
      const { reports } = analyse({ source, flags }, { assumeRejectingSuffix: true });
      t.same(
        reports.map(({ type }) => type),
        [],
        `${file}:${line} /${source}/${flags}`,
      );
    }
  }
  t.ok(patterns > 15, `${patterns} patterns`);
  const { reports } = analyse({ source: String.raw`^\d+\.?\d*$`, flags: '' });
  t.equal(reports.length, 1, 'one that goes back is found');
});

/** Code that runs on the front thread, and the file that shapes a request's host. */
async function frontSources(): Promise<readonly string[]> {
  const found: string[] = [];
  for (const place of ['src/http', 'src/views/base-url.ts']) {
    const names = place.endsWith('.ts') ? [''] : await readdir(place, { recursive: true });
    found.push(...names.map((name) => join(place, name)).filter((file) => file.endsWith('.ts')));
  }
  return found;
}

/** The literals of a file; one that is put together while the service runs could not be analysed. */
async function patternsOf(file: string) {
  const tree = ts.createSourceFile(file, await readFile(file, 'utf8'), ts.ScriptTarget.Latest);
  const found: { readonly source: string; readonly flags: string; readonly line: number }[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      const line = tree.getLineAndCharacterOfPosition(node.end).line + 1;
      found.push({ source: node.text.slice(1, end), flags: node.text.slice(end + 1), line });
    }
    // A type makes no pattern.
    if (ts.isTypeNode(node)) return;
    if (ts.isIdentifier(node) && node.text === 'RegExp') throw new Error(`RegExp in ${file}`);
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}
