/** Targets of the JSON API. */
import { objectsOf, type PlainDocument } from '../documents/documents.js';

const WINDOWS = ['1h', '1d', '7d', '14d', '30d'];

/** Every target for the ids of a document, public or not, related or not. */
export function allTargets(document: PlainDocument): readonly string[] {
  const ids = (list: string, name: string): readonly unknown[] =>
    objectsOf(document, list).map((object) => object[name]);
  const targets = ['/meta', '/organizations', '/networks', '/stations', '/components'];
  for (const organization of ids('organizations', 'organization_id')) {
    targets.push(`/${String(organization)}/stations`);
    for (const station of ids('stations', 'station_id')) {
      const path = `/${String(organization)}/stations/${String(station)}`;
      targets.push(`${path}/meta`, `${path}/measurements/last_hour`);
      targets.push(`${path}/measurements/last_24h`);
      for (const component of ids('components', 'component_id')) {
        for (const window of WINDOWS) {
          targets.push(seriesTarget({ organization, station, component, window }));
        }
      }
    }
  }
  return targets;
}

export function seriesTarget(of: Readonly<Record<string, unknown>>): string {
  return (
    `/measurements?organization_id=${String(of['organization'])}&station_id=${String(of['station'])}` +
    `&component_id=${String(of['component'])}&window=${String(of['window'])}`
  );
}
