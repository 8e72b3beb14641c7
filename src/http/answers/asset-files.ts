/** The files that pages load, held in memory. The build bundles them and puts their digest into their names. */
import { existsSync, readFileSync } from 'node:fs';
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

export const ASSET_URLS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(MANIFEST.files).map(([source, { file }]) => [source, `/assets/${file}`]),
);

export const ASSETS: ReadonlyMap<string, StaticResource> = new Map(
  Object.values(MANIFEST.files).map(({ file, contentType }) => [file, load(file, contentType)]),
);

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
