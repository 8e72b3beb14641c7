/**
 * What is shipped, against what `npm audit` sees: locked packages have a digest, and what lies inside other packages'
 * bundles is named in `docs/dependencies.md, "Bundled parts"`. Licences: `service/pages/assets.reads.ts`.
 */
import { readFile } from 'node:fs/promises';
import t from 'tap';

type Plain = Readonly<Record<string, unknown>>;

/** Packages that ship other packages within bundles of their own, with those bundles. */
const BUNDLES = [
  {
    name: 'redoc',
    maps: ['bundles/redoc.browser.lib.js', 'bundles/d87bcbdbea8f8f5aa26f.worker.js'],
  },
  {
    name: 'swagger-ui-dist',
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

/** The list of the page for one bundle: names with versions. */
async function namedParts(bundle: string): Promise<ReadonlyMap<string, string>> {
  const page = await readFile('docs/dependencies.md', 'utf8');
  const section = page.split('### Bundled parts\n')[1]?.split('\n#')[0] ?? '';
  const list = section.split('\n- ').find((item) => item.startsWith(`${bundle}: `)) ?? '';
  return new Map(
    [...list.matchAll(/([^\s,]+)\s+(\^?\d[\d.]*\d)/g)].map(([, name = '', version = '']) => [
      name,
      version,
    ]),
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
    const named = await namedParts(bundle.name);
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
    for (const [part, said] of named) {
      t.ok(parts.has(part), `${part} is shipped`);
      t.equal(said, statedVersion(part, texts) ?? ranges[part], part);
    }
    for (const part of Object.keys(STATED)) {
      if (parts.has(part)) t.ok(named.has(part), `${part} states its version`);
    }
  });
}

function statedVersion(part: string, texts: readonly string[]): string | undefined {
  const pattern = STATED[part];
  if (pattern === undefined) return undefined;
  return texts.map((text) => pattern.exec(text)?.[1]).find((version) => version !== undefined);
}
