/** A target of every endpoint, answers of workers, and one of every refusal. */
import { ENDPOINTS } from '../../../src/http/routes/routes.js';
import { casesOf } from '../../support/readers/cases.js';
import { get } from '../../support/service/requests.js';

/** A script of the documentation, which is sent in parts. */
export async function largeAsset(service: { readonly port: number }): Promise<string> {
  const docs = String((await get(service, '/docs')).body);
  return /\/assets\/[^"]+\.js/.exec(docs)?.[0] ?? '';
}

export async function everyTarget(service: { readonly port: number }): Promise<readonly string[]> {
  const script = await largeAsset(service);
  const paths = ENDPOINTS.map(({ path }) =>
    path
      .replace('/assets/{name}', script)
      .replace('{filename}', 'stations.csv')
      .replaceAll(/\{\+?\w+\}/g, '1'),
  );
  return [...paths, ...casesOf('targets', 'more than the endpoints')];
}
