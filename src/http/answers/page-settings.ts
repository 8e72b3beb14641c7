/** Settings of all pages of one instance: language, time zone, map, and the files that pages load. */
import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import type { Language } from '../../texts/texts.js';
import type { Site } from '../../views/pages/page.js';
import { BUILD_ID } from '../../build-id.js';
import type { FrontSettings } from '../../ipc/front-messages.js';
import { PATH_PREFIX } from '../semantics/path-prefix.js';
import { ASSET_URLS, ASSETS_DIGEST } from './asset-files.js';

export interface PageSettings {
  readonly defaultLanguage: Language;
  readonly site: Omit<Site, 'hasArchive' | 'navigation'>;
  /** Digest of these settings and this build, for the entity tags of pages. */
  readonly digest: string;
}

/** The base map is a file named by its digest, if it is not the service's own. */
export function pageSettings(settings: FrontSettings): PageSettings {
  const { defaultLanguage = 'sr-Latn', timeZone = 'Europe/Belgrade', baseMap } = settings;
  const logged = settings.accessLogAddress ? 'with-addresses' : 'without-addresses';
  const requestLog = settings.accessLog === 0 ? 'none' : logged;
  const made = JSON.stringify([
    ASSETS_DIGEST,
    BUILD_ID,
    defaultLanguage,
    timeZone,
    baseMap && basename(baseMap),
    requestLog,
    PATH_PREFIX,
  ]);
  return {
    defaultLanguage,
    site: { timeZone, assets: ASSET_URLS, baseMap, requestLog, pathPrefix: PATH_PREFIX },
    digest: createHash('sha256').update(made).digest('hex').slice(0, 8),
  };
}
