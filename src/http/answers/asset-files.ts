/** The files that pages load, held in memory. The build bundles them and puts their digest into their names. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { LOGO_FILES, operatorTexts, readText } from '../../texts/text-files.js';
import { ownStyles } from '../../views/pages/portal/color-scale.js';
import { IMMUTABLE } from '../semantics/common-headers.js';
import { StaticResource } from './static-resource.js';

const DIRECTORY = new URL('../../assets/', import.meta.url);

interface Manifest {
  /** Digest of assets, templates and maps: changes whenever pages may look different. */
  readonly digest: string;
  readonly files: Readonly<Record<string, { readonly file: string; readonly contentType: string }>>;
  readonly pictureStyles: readonly string[];
}

/** Read once in each process, before it listens. */
const MANIFEST = JSON.parse(readFileSync(new URL('manifest.json', DIRECTORY), 'utf8')) as Manifest;

export const ASSETS_DIGEST = MANIFEST.digest;

/** Hashes of the styles in pictures of charts, for the Content-Security-Policy. */
export const PICTURE_STYLES = MANIFEST.pictureStyles;

export const ASSET_URLS: Record<string, string> = Object.fromEntries(
  Object.entries(MANIFEST.files).map(([source, { file }]) => [source, `/assets/${file}`]),
);

export const ASSETS = new Map(
  Object.values(MANIFEST.files).map(({ file, contentType }) => [file, load(file, contentType)]),
);

for (const source of ['scales.css', ...LOGO_FILES]) {
  const text = source === 'scales.css' ? ownStyles() : readText([operatorTexts()], source);
  if (text === undefined) continue;
  const bytes = Buffer.from(text);
  const digest = createHash('sha256').update(bytes).digest('hex').slice(0, 8);
  const file = source.replace('.', `-${digest}.`);
  const type = `${source === 'scales.css' ? 'text/css' : 'image/svg+xml'}; charset=utf-8`;
  // Stops scripts in a logo that is opened on its own (CSP level 3).
  const csp = "default-src 'none'; style-src 'unsafe-inline'; sandbox";
  const fields = [['Content-Type', type] as const, ['Content-Security-Policy', csp] as const];
  ASSET_URLS[source] = `/assets/${file}`;
  ASSETS.set(file, new StaticResource({ bytes, cacheControl: IMMUTABLE, fields }));
}

/** The icon of pages that name no icon. Its address never changes, so browsers request it again each day. */
export const FAVICON = load(
  MANIFEST.files['favicon.ico']?.file ?? '',
  'image/x-icon',
  'public, max-age=86400',
);

function load(file: string, contentType: string, cacheControl = IMMUTABLE): StaticResource {
  const precompressed = new URL(`${file}.gz`, DIRECTORY);
  return new StaticResource({
    bytes: readFileSync(new URL(file, DIRECTORY)),
    gzip: existsSync(precompressed) ? readFileSync(precompressed) : undefined,
    cacheControl,
    fields: [['Content-Type', contentType]],
  });
}
