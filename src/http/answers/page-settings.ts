/** What all pages of one instance share: its language, its time zone, its map, and the files that pages load. */
import { createHash } from 'node:crypto';
import type { Language } from '../../snapshot/domain/model.js';
import type { Site } from '../../views/pages/page.js';
import { ASSET_URLS, ASSETS_DIGEST } from './asset-files.js';

export interface PageSettings {
  readonly defaultLanguage: Language;
  readonly site: Site;
  /** Of the settings and of this build: part of the entity tag of every page. */
  readonly digest: string;
}

export function pageSettings(options: {
  readonly defaultLanguage: Language;
  readonly timeZone: string;
  /** A GeoJSON file; undefined: the map that comes with the service. */
  readonly baseMap?: string | undefined;
}): PageSettings {
  const { defaultLanguage, timeZone, baseMap } = options;
  const made = JSON.stringify([ASSETS_DIGEST, defaultLanguage, timeZone, baseMap]);
  return {
    defaultLanguage,
    site: { timeZone, assets: ASSET_URLS, baseMap },
    digest: createHash('sha256').update(made).digest('hex').slice(0, 8),
  };
}
