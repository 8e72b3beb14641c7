/** `GET /assets/{name}`: what pages load, bundled by the build under names that change with the bytes. */
import { existsSync, readFileSync } from 'node:fs';
import { Document } from '../answers/static-answer.js';

/** Beside the compiled code: `build-assets.mjs` puts them there. */
const DIRECTORY = new URL('../../assets/', import.meta.url);

/** A name is another one as soon as a byte is (RFC 8246). */
const CACHE_CONTROL = 'public, max-age=31536000, immutable';

interface Manifest {
  /** Another one whenever pages may look different. */
  readonly edition: string;
  /** By the name of the source. */
  readonly files: Readonly<Record<string, { readonly file: string; readonly contentType: string }>>;
}

/** Read once a process, before it listens; of our own making. */
const MANIFEST = JSON.parse(readFileSync(new URL('manifest.json', DIRECTORY), 'utf8')) as Manifest;

export const EDITION = MANIFEST.edition;

/** URLs of the assets by the name of their source. */
export const ASSET_URLS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(MANIFEST.files).map(([source, { file }]) => [source, `/assets/${file}`]),
);

const ASSETS: ReadonlyMap<string, Document> = new Map(
  Object.values(MANIFEST.files).map(({ file, contentType }) => [file, load(file, contentType)]),
);

/** Undefined where there is no such file. */
export function assetNamed(name: string): Document | undefined {
  return ASSETS.get(name);
}

function load(file: string, contentType: string): Document {
  const packed = new URL(`${file}.gz`, DIRECTORY);
  return new Document({
    bytes: readFileSync(new URL(file, DIRECTORY)),
    gzip: existsSync(packed) ? readFileSync(packed) : undefined,
    cacheControl: CACHE_CONTROL,
    fields: [['Content-Type', contentType]],
  });
}
