/** The files that pages load: bundled by the build under names that change with their bytes, held in memory. */
import { existsSync, readFileSync } from 'node:fs';
import { IMMUTABLE } from '../semantics/common-headers.js';
import { StaticResource } from './static-resource.js';

/** Beside the compiled code: `build-assets.mjs` puts them there. */
const DIRECTORY = new URL('../../assets/', import.meta.url);

interface Manifest {
  /** Digest of the assets, templates and maps: it changes whenever pages may look different. */
  readonly digest: string;
  /** By the name of the source. */
  readonly files: Readonly<Record<string, { readonly file: string; readonly contentType: string }>>;
  readonly pictureStyles: readonly string[];
}

/** Read once a process, before it listens; the build has written it. */
const MANIFEST = JSON.parse(readFileSync(new URL('manifest.json', DIRECTORY), 'utf8')) as Manifest;

export const ASSETS_DIGEST = MANIFEST.digest;

/** Hashes of the styles inside charts that are pictures, as a policy names them. */
export const PICTURE_STYLES = MANIFEST.pictureStyles;

/** URLs of the assets by the name of their source. */
export const ASSET_URLS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(MANIFEST.files).map(([source, { file }]) => [source, `/assets/${file}`]),
);

/** By the name of the file, which is the last segment of its URL. */
export const ASSETS: ReadonlyMap<string, StaticResource> = new Map(
  Object.values(MANIFEST.files).map(({ file, contentType }) => [file, load(file, contentType)]),
);

/** The icon for pages that name no icon; browsers request this fixed name again each day. */
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
