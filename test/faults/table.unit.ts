/** The table of faults in this folder's README: complete, in order, and every test that it names is there. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import ts from 'typescript';

const FOLDER = 'test/faults';
const FAULTS = 58;

/** Rows as lists of cells, without the head. */
async function readRows(): Promise<readonly (readonly string[])[]> {
  const lines = (await readFile(join(FOLDER, 'README.md'), 'utf8')).split('\n');
  const cells = lines.map((line) => line.split('|').map((cell) => cell.trim()));
  return cells.filter(([, number = '']) => /^\d+$/.test(number)).map((row) => row.slice(1, -1));
}

/** Names of the tests in a file, as they are written: `${...}` is not filled in. */
async function testNamesIn(file: string): Promise<ReadonlySet<string>> {
  const text = await readFile(file, 'utf8').catch(() => '');
  const names = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && /\btest$/.test(node.expression.getText())) {
      const [name] = node.arguments;
      if (name !== undefined) names.add(name.getText().slice(1, -1));
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true));
  return names;
}

void t.test('has all faults, in order', async (t) => {
  const numbers = (await readRows()).map(([number]) => number);
  t.same(
    numbers,
    Array.from({ length: FAULTS }, (_, index) => String(index + 1)),
  );
});

void t.test('names a test for each, which is there, or says why there is none', async (t) => {
  const missing: string[] = [];
  const known = new Map<string, ReadonlySet<string>>();
  for (const [number = '', , , shownBy = ''] of await readRows()) {
    const named = [...shownBy.matchAll(/\]\(([\w./-]+)\) "([^"]+)"/g)];
    if (named.length === 0 && !shownBy.includes('_not shown_')) missing.push(number);
    for (const [, path = '', name = ''] of named) {
      const file = join(FOLDER, path);
      const names = known.get(file) ?? (await testNamesIn(file));
      known.set(file, names);
      if (!names.has(name)) missing.push(`${number}: ${file} "${name}"`);
    }
  }
  t.same(missing, []);
});
