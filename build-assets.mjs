/**
 * Bundles what browsers get, and puts the templates, the base map, the fonts of pictures and the recipes beside the compiled code.
 *
 * `node build-assets.mjs OUT`, after the compiler has filled OUT (`dist`, or `build/src` for tests). Writes
 * `OUT/assets/*` with hashed names, a gzip form beside each that gains by it, and `manifest.json`: for each source's name
 * its file and media type, the packages that are in bundles, the hashes of the styles of pictures for their policy, and a
 * digest that changes whenever pages may look different. Writes `OUT/openapi.json`
 * and `llms.txt` too, with a placeholder for the base URL, `OUT/pages.json`, what the sitemap is made of, and
 * `OUT/build-id.json`: the digest of all that answers are rendered by (sources, texts, libraries of the service, assets), the
 * same for the same sources, wherever and whenever they are built.
 */
import { createHash } from 'node:crypto';
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build, transform } from 'esbuild';
import { runtimePackages } from './tools/runtime-packages.mjs';

const [out] = process.argv.slice(2);
if (out === undefined) throw new Error('usage: node build-assets.mjs OUT');

const MEDIA_TYPES = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
};

/** Fonts of pictures: two of the package's 22, and their licence. */
const FONT_FILES = ['ttf/DejaVuSans.ttf', 'ttf/DejaVuSans-Bold.ttf', 'LICENSE'];

/** Colours of the six classes of values, and of the text on them: of the lower three and of the higher ones. */
const CLASSES = ['c', 'm'].flatMap((scale) =>
  [0, 1, 2, 3, 4, 5].map((at) => ({ name: `${scale}${at}`, on: at < 3 ? 'on-low' : 'on-high' })),
);

/** Sources of the build id: the code, the files that it reads, and the files that make them. */
const SOURCES = [
  'src',
  'texts',
  'data/base-map',
  'data/recipes',
  'node_modules/dejavu-fonts-ttf/ttf',
];
const SOURCE_FILES = ['build-assets.mjs'];

const views = 'src/views';
const assets = join(out, 'assets');

await rm(assets, { recursive: true, force: true });
await rm(join(out, 'views/templates'), { recursive: true, force: true });
await mkdir(assets, { recursive: true });
await cp(join(views, 'templates'), join(out, 'views/templates'), { recursive: true });
await cp('data/base-map', join(out, 'base-map'), {
  recursive: true,
  filter: (path) => !/\.(?:md|mjs)$/.test(path),
});

await cp('data/recipes', join(out, 'recipes'), { recursive: true });
await mkdir(join(out, 'fonts'), { recursive: true });
for (const file of FONT_FILES) {
  await cp(join('node_modules/dejavu-fonts-ttf', file), join(out, 'fonts', basename(file)));
}
// The words of the API's documentation are in what is made of them.
await cp('texts', join(out, 'texts'), {
  recursive: true,
  filter: (path) => !path.startsWith(join('texts', 'openapi')),
});

const { metafile } = await build({
  entryPoints: [
    ...(await entries('src/browser', '.ts')),
    ...(await entries('src/views/styles', '.css')),
    ...(await entries('src/views/styles', '.svg')),
    ...(await entries('src/views/styles', '.ico')),
  ],
  outdir: assets,
  entryNames: '[name]-[hash]',
  assetNames: '[name]-[hash]',
  bundle: true,
  minify: true,
  format: 'esm',
  target: ['es2022', 'chrome111', 'firefox115', 'safari16.4'],
  loader: { '.woff2': 'file', '.svg': 'copy', '.png': 'file', '.ico': 'copy' },
  plugins: [
    { name: 'automatic theme', setup: addAutomaticTheme },
    { name: 'redoc', setup: mendRedoc },
  ],
  legalComments: 'linked',
  metafile: true,
  // Coverage is counted in lines of the sources.
  sourcemap: process.env.NODE_V8_COVERAGE === undefined ? false : 'linked',
  logLevel: 'warning',
});

const packages = new Set(Object.keys(metafile.inputs).flatMap((input) => packageOf(input) ?? []));
const manifest = {
  digest: '',
  files: {},
  packages: [...packages].sort(),
  pictureStyles: await writePictureStyles(),
};
for (const [path, { entryPoint }] of Object.entries(metafile.outputs)) {
  const file = basename(path);
  const extension = extname(file);
  if (extension === '.map') continue;
  const contentType = MEDIA_TYPES[extension];
  if (contentType === undefined) throw new Error(`no media type for ${file}`);
  const source = entryPoint === undefined ? file : basename(entryPoint).replace(/\.ts$/, '.js');
  manifest.files[source] = { file, contentType };
  if (file.endsWith('.LEGAL.txt')) {
    const { inputs } = metafile.outputs[path.slice(0, -'.LEGAL.txt'.length)];
    await writeFile(path, await licences(await readFile(path, 'utf8'), Object.keys(inputs)));
  }
  const bytes = await readFile(path);
  const precompressed = gzipSync(bytes, { level: 9 });
  if (precompressed.byteLength < bytes.byteLength) await writeFile(`${path}.gz`, precompressed);
}
manifest.digest = await digestOf([
  assets,
  join(out, 'views'),
  join(out, 'base-map'),
  join(out, 'recipes'),
  join(out, 'texts'),
]);
await writeFile(join(assets, 'manifest.json'), JSON.stringify(manifest, undefined, 2));
for (const [name, text] of Object.entries(await siteDocuments())) {
  await writeFile(join(out, name), text);
}
// Tools that only check the sources are in none of it: every instance imports anew for another digest.
const lock = JSON.parse(await readFile('package-lock.json', 'utf8'));
const assetNames = Object.values(manifest.files).map(({ file }) => file);
const buildId = await digestOf(SOURCES, SOURCE_FILES, [
  ...runtimePackages(lock),
  ...assetNames.sort(),
  ...manifest.pictureStyles,
]);
await writeFile(join(out, 'build-id.json'), JSON.stringify(buildId));

/**
 * Pages without a theme of their own are dark where the reader prefers it: by the same colours, which are written once.
 * Adds a class for each class of values, too.
 */
function addAutomaticTheme({ onLoad }) {
  onLoad({ filter: /\/site\/tokens\.css$/ }, async ({ path }) => {
    const css = await readFile(path, 'utf8');
    const dark = /:root\[data-theme='dark'\] (\{[^}]*\})/.exec(css)?.[1];
    if (dark === undefined) throw new Error(`${path} has no dark theme`);
    const automatic = `@media (prefers-color-scheme: dark) { :root[data-theme='auto'] ${dark} }`;
    const classes = CLASSES.map(
      ({ name, on }) => `.${name} { --fill: var(--${name}); --on-fill: var(--${on}); }`,
    );
    return { contents: [css, automatic, ...classes].join('\n'), loader: 'css' };
  });
}

/**
 * Redoc's side menu has a logo from another host, which no option leaves out, and the policy of pages forbids; and its
 * bundle asks for a module by the name `null`, which it does not use.
 */
function mendRedoc({ onLoad }) {
  onLoad({ filter: /\/redoc\.standalone\.js$/ }, async ({ path }) => {
    const bundle = await readFile(path, 'utf8');
    const [logo] = /https:\/\/cdn\.redoc\.ly\/redoc\/[\w-]+\.svg/.exec(bundle) ?? [];
    if (logo === undefined) throw new Error(`${path} has another logo`);
    const contents = bundle
      .replaceAll(logo, 'data:image/svg+xml,')
      .replaceAll('require("null")', 'null');
    return { contents, loader: 'js' };
  });
}

/** Made of the compiled table of routes, which loads the assets. */
async function siteDocuments() {
  const load = (path) => import(pathToFileURL(resolve(out, 'http', path)).href);
  const { DOCUMENTED_ENDPOINTS } = await load('routes/routes.js');
  const { viewOpenApi, viewOgcApi } = await load('openapi/openapi-document.js');
  const { viewLlmsText } = await load('openapi/llms-text.js');
  const { readWords } = await load('openapi/words.js');
  const { PARTS } = await load('../views/sitemap.js');
  const words = readWords('texts/openapi', DOCUMENTED_ENDPOINTS);
  const examples = JSON.parse(
    await readFile(join(views, 'openapi/response-examples.json'), 'utf8'),
  );
  return {
    'openapi.json': JSON.stringify(viewOpenApi(words, examples)),
    'ogc-api.json': JSON.stringify(viewOgcApi(words)),
    'llms.txt': viewLlmsText(words),
    // The sitemap has every language that there is, which a build cannot know.
    'pages.json': JSON.stringify(
      DOCUMENTED_ENDPOINTS.filter(
        ({ path, operation }) => operation.tag === 'Pages' && !path.startsWith(PARTS),
      ).map(({ path, operation }) => {
        return { path, isArchived: operation.refusals.includes('no_archive_resource') };
      }),
    ),
  };
}

/**
 * Writes the styles of pictures for each theme, as a part of their template: the page's own rules, with each colour in its
 * place, as what draws PNG knows no `var()`. Gives their hashes (CSP level 3, `hash-source`).
 */
async function writePictureStyles() {
  const [tokens, ...rules] = await Promise.all(
    ['site/tokens.css', 'portal/plot.css', 'picture/picture.css'].map((file) =>
      readFile(join(views, 'styles', file), 'utf8'),
    ),
  );
  const { code } = await transform(rules.join(''), { loader: 'css', minify: true });
  const [light, dark] = [':root {', ":root[data-theme='dark'] {"].map((selector) => {
    const [block] = tokens.slice(tokens.indexOf(selector)).split('}');
    return Array.from(block.matchAll(/--([\w-]+):\s*([^;]+);/g), ([, ...token]) => token);
  });
  const hashes = [];
  for (const [theme, own] of Object.entries({ light: [], dark })) {
    const values = Object.fromEntries([...light, ...own]);
    const css = [
      code
        .trim()
        .replaceAll(/var\(--([\w-]+)\)/g, (_, name) => values[name].replaceAll(/\s+/g, ' ')),
      ...CLASSES.map(({ name }) => `.${name}{fill:${values[name]}}`),
    ].join('');
    await writeFile(join(out, `views/templates/parts/picture-${theme}.liquid`), css);
    hashes.push(`'sha256-${createHash('sha256').update(css).digest('base64')}'`);
  }
  return hashes;
}

/** The folder of the package that an input lies in; undefined of our own, and of what is nothing in a browser. */
function packageOf(input) {
  return /^node_modules\/(?:.*node_modules\/)?(?:@[^/]+\/)?[^/]+/.exec(input)?.[0];
}

/**
 * Licences of the packages whose files were bundled, which the end of the bundle links to.
 *
 * @param {string} legal as esbuild writes it: of what was bundled before, it has only the name of a file beside it.
 */
async function licences(legal, inputs) {
  const parts = [legal.replaceAll(/^ *\/\*! For license information .*\n?/gm, '')];
  const files = new Set();
  for (const input of inputs) {
    const folder = packageOf(input);
    if (folder === undefined) continue;
    for (const name of await readdir(folder)) {
      if (/^(?:licen[cs]e|notice)/i.test(name)) files.add(join(folder, name));
    }
    for (const name of await readdir(dirname(input))) {
      // Redoc's search runs in a worker, which is a text inside the bundle.
      if (name === `${basename(input)}.LICENSE.txt` || name.endsWith('.worker.js.LICENSE.txt'))
        files.add(join(dirname(input), name));
    }
  }
  for (const file of [...files].sort()) {
    parts.push(`${file.slice('node_modules/'.length)}:`, await readFile(file, 'utf8'));
  }
  return parts.join('\n');
}

/** Sources of one folder that are bundles of their own: what they import lies in folders below. */
async function entries(folder, extension) {
  const names = await readdir(folder);
  return names.filter((name) => name.endsWith(extension)).map((name) => join(folder, name));
}

async function digestOf(folders, files = [], names = []) {
  const hash = createHash('sha256').update(names.join('\n'));
  for (const file of files) hash.update(file).update(await readFile(file));
  for (const folder of folders) {
    for (const entry of (await readdir(folder, { recursive: true, withFileTypes: true })).sort(
      (a, b) => (pathOf(a) < pathOf(b) ? -1 : 1),
    )) {
      if (!entry.isFile() || entry.name.endsWith('.map')) continue;
      hash.update(pathOf(entry)).update(await readFile(pathOf(entry)));
    }
  }
  return hash.digest('hex').slice(0, 8);
}

function pathOf(entry) {
  return join(entry.parentPath ?? entry.path, entry.name);
}
