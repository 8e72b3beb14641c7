/**
 * What is shipped, against what `npm audit` sees: locked packages have a digest, and what lies inside other packages'
 * bundles is named in `docs/dependencies.md, "Bundled parts"`. Licences: `service/pages/assets.reads.ts`.
 */
import { readFile } from 'node:fs/promises';
import { build } from 'esbuild';
import t from 'tap';

type Plain = Readonly<Record<string, unknown>>;

/** Packages whose bundle is shipped as it is, with the bundles that are. */
const BUNDLES = [
  {
    name: 'redoc',
    files: ['bundles/redoc.standalone.js'],
    maps: ['bundles/redoc.standalone.js', 'bundles/d87bcbdbea8f8f5aa26f.worker.js'],
  },
  {
    name: 'swagger-ui-dist',
    files: ['swagger-ui-es-bundle.js', 'swagger-ui.css'],
    maps: ['swagger-ui-es-bundle.js'],
  },
] as const;

/** How a bundle, or the source map beside it, states a part's version. */
const STATED: Readonly<Record<string, RegExp>> = {
  autolinker: /Autolinker\.version="([\d.]+)"/,
  'core-js': /\{version:"(3\.[\d.]+)",mode:\w\?"pure":"global"/,
  'core-js-pure': /\{version:"(3\.[\d.]+)",mode:\w\?"pure":"global"/,
  dompurify: /\.version="([\d.]+)",\w+\.removed=/,
  'highlight.js': /\.versionString="([\d.]+)"/,
  immutable: /\.toSet\(\)\}var \w+="([\d.]+)"/,
  lunr: /\.version="([\d.]+)",\w\.utils=/,
  'mark.js': /\* mark\.js v([\d.]+)/,
  marked: /\* marked v([\d.]+) - a markdown parser/,
  'perfect-scrollbar': /perfect-scrollbar v([\d.]+)/,
  react: /\.useTransition\(\)\},\w\.version="([\d.]+)"/,
  'react-dom': /bundleType:0,version:"([\d.]+)",rendererPackageName:"react-dom"/,
  'short-unique-id': /this\.dict=\[\],this\.version="([\d.]+)"/,
  'styled-components': /data-styled-version="([\d.]+)"/,
  swagger2openapi: /exports=\{rE:"([\d.]+)"\}/,
};

const PACKAGE = JSON.parse(await readFile('package.json', 'utf8')) as {
  readonly dependencies: Plain;
  readonly overrides: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
};

/** Names of packages that are replaced by another one below `owner`. */
function stubsOf(owner: string): readonly string[] {
  const overrides = PACKAGE.overrides[owner];
  return Object.entries(typeof overrides === 'object' ? overrides : {})
    .filter(([, by]) => by.startsWith('npm:'))
    .map(([name]) => name);
}

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

await t.test('nothing takes the place of a package that is needed', async (t) => {
  const owners = Object.keys(PACKAGE.overrides).filter((owner) => stubsOf(owner).length > 0);
  t.strictSame(
    owners,
    BUNDLES.map(({ name }) => name),
    'the packages that are shipped as bundles',
  );
  for (const owner of owners) t.notOk(owner in PACKAGE.dependencies, `${owner} is bundled`);
  for (const by of Object.values(PACKAGE.overrides)) {
    if (typeof by === 'string') t.notMatch(by, /^npm:/);
  }
  const { metafile } = await build({
    entryPoints: ['src/browser/*.ts', 'src/views/styles/*.css'],
    outdir: 'nowhere',
    external: ['null'],
    bundle: true,
    write: false,
    format: 'esm',
    metafile: true,
    logLevel: 'silent',
    loader: { '.svg': 'copy', '.woff2': 'file', '.png': 'file' },
  });
  const taken = Object.keys(metafile.inputs).flatMap(
    (path) => path.split('node_modules/').slice(1).at(-1) ?? [],
  );
  const allowed = BUNDLES.flatMap(({ name, files }) => files.map((file) => `${name}/${file}`));
  t.strictSame(
    taken.filter((path) => !allowed.includes(path)),
    [],
    'only whole bundles',
  );
  t.ok(taken.length >= 2);
});

for (const bundle of BUNDLES) {
  await t.test(`what ${bundle.name} has inside is named with its version`, async (t) => {
    const parts = await partsOf(bundle);
    const named = await namedParts(bundle.name);
    for (const stub of stubsOf(bundle.name)) {
      if (parts.has(stub)) t.ok(named.has(stub), `${stub} is hidden and shipped`);
    }
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
