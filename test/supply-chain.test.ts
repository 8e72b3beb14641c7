/**
 * What is shipped, against what `npm audit` sees: locked packages have a digest, and what lies inside other packages'
 * bundles is named in `docs/dependencies.md, "Bundled parts"`. Licences: `service/pages/assets.reads.ts`.
 */
import { readFile } from 'node:fs/promises';
import t from 'tap';

type Plain = Readonly<Record<string, unknown>>;

/** Packages that ship other packages within bundles of their own, with those bundles and the column of the page's table. */
const BUNDLES = [
  {
    name: 'redoc',
    column: 1,
    maps: ['bundles/redoc.browser.lib.js', 'bundles/d87bcbdbea8f8f5aa26f.worker.js'],
  },
  {
    name: 'swagger-ui-dist',
    column: 2,
    maps: ['swagger-ui-es-bundle.js'],
  },
] as const;

/** How a bundle, or the source map beside it, states a part's version. */
const STATED: Readonly<Record<string, RegExp>> = {
  autolinker: /Autolinker\.version="([\d.]+)"/,
  'core-js-pure': /\{version:"(3\.[\d.]+)",mode:\w\?"pure":"global"/,
  dompurify: /\.version="([\d.]+)",\w+\.removed=/,
  'highlight.js': /\.versionString="([\d.]+)"/,
  immutable: /\.toSet\(\)\}var \w+="([\d.]+)"/,
  lunr: /\.version="([\d.]+)",\w\.utils=/,
  marked: /\* marked v([\d.]+) - a markdown parser/,
  'perfect-scrollbar': /perfect-scrollbar v([\d.]+)/,
  react: /\.useTransition\(\)\},\w\.version="([\d.]+)"/,
  'react-dom': /bundleType:0,version:"([\d.]+)",rendererPackageName:"react-dom"/,
  'short-unique-id': /this\.dict=\[\],this\.version="([\d.]+)"/,
  swagger2openapi: /exports=\{rE:"([\d.]+)"\}/,
};

const PACKAGE = JSON.parse(await readFile('package.json', 'utf8')) as {
  readonly dependencies: Plain;
  readonly overrides: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
};

/** The table of the page: names, and the versions in each bundle. */
async function namedParts(): Promise<ReadonlyMap<string, readonly string[]>> {
  const page = await readFile('docs/dependencies.md', 'utf8');
  const section = page.split('### Bundled parts\n')[1]?.split('\n#')[0] ?? '';
  const rows = section.split('\n').filter((line) => line.startsWith('| '));
  return new Map(
    rows.slice(2).map((line) => {
      const cells = line.split('|').map((cell) => cell.trim());
      return [cells[1] ?? '', cells.slice(1, -1)];
    }),
  );
}

/** Packages whose code a bundle holds, by its source maps. */
async function partsOf({ name, maps }: (typeof BUNDLES)[number]): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (const file of maps) {
    const text = await readFile(`node_modules/${name}/${file}.map`, 'utf8');
    const { sources } = JSON.parse(text) as { readonly sources: readonly string[] };
    for (const source of sources) {
      const path = source.split('node_modules/').at(-1) ?? '';
      const part = /^(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path)?.[0];
      if (source.includes('node_modules/') && part !== undefined) found.add(part);
    }
  }
  return found;
}

await t.test('every locked package has a digest, but for those of other systems', async (t) => {
  const lock = JSON.parse(await readFile('package-lock.json', 'utf8')) as {
    readonly packages: Readonly<Record<string, Plain & { readonly os?: readonly string[] }>>;
  };
  const unverified = Object.entries(lock.packages).filter(
    ([path, { integrity }]) => path !== '' && typeof integrity !== 'string',
  );
  for (const [path, { optional, os = [], cpu = [] }] of unverified) {
    const isElsewhere = !os.includes('linux') || !(cpu as readonly string[]).includes('x64');
    t.ok(optional === true && isElsewhere && os.length > 0, `${path} has no integrity`);
  }
  t.ok(unverified.length <= 51, `${unverified.length} of them: none is to be added`);
});

await t.test('no package takes the place of another one', (t) => {
  for (const given of Object.values(PACKAGE.overrides).flatMap((one) =>
    typeof one === 'string' ? one : Object.values(one),
  )) {
    t.notMatch(given, /^npm:/);
  }
  for (const { name } of BUNDLES) t.notOk(name in PACKAGE.dependencies, `${name} is bundled`);
  t.end();
});

for (const bundle of BUNDLES) {
  await t.test(`what ${bundle.name} has inside is named with its version`, async (t) => {
    const parts = await partsOf(bundle);
    const named = await namedParts();
    const texts = await Promise.all(
      bundle.maps.flatMap((file) => [
        readFile(`node_modules/${bundle.name}/${file}`, 'utf8').catch(() => ''),
        readFile(`node_modules/${bundle.name}/${file}.LICENSE.txt`, 'utf8'),
        readFile(`node_modules/${bundle.name}/${file}.map`, 'utf8'),
      ]),
    );
    const { dependencies, peerDependencies } = JSON.parse(
      await readFile(`node_modules/${bundle.name}/package.json`, 'utf8'),
    ) as Readonly<Record<'dependencies' | 'peerDependencies', Plain>>;
    const ranges: Plain = { ...peerDependencies, ...dependencies };
    for (const part of named.keys()) {
      const said = cellOf(named, part, bundle.column);
      t.equal(said !== undefined, parts.has(part), `${part} is in the table where it is shipped`);
      if (said === undefined) continue;
      t.equal(said, statedVersion(part, texts) ?? ranges[part], part);
    }
    for (const part of Object.keys(STATED)) {
      if (parts.has(part)) t.ok(named.has(part), `${part} states its version`);
    }
  });
}

/** Undefined where the bundle does not have the part. */
function cellOf(
  named: ReadonlyMap<string, readonly string[]>,
  part: string,
  column: number,
): string | undefined {
  const cell = named.get(part)?.[column];
  return cell === undefined || cell === '' ? undefined : cell;
}

function statedVersion(part: string, texts: readonly string[]): string | undefined {
  const pattern = STATED[part];
  if (pattern === undefined) return undefined;
  return texts.map((text) => pattern.exec(text)?.[1]).find((version) => version !== undefined);
}
