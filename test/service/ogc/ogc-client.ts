/** A client of the OGC API that follows links, for the abstract tests of both standards. */
import type { Test } from 'tap';
import { asker, fieldOf, jsonOf, type Answer, type Ask } from '../../support/service/connection.js';
import { sharedService } from '../../support/service/shared-service.js';

export type Plain = Readonly<Record<string, unknown>>;

export interface Link {
  readonly href: string;
  readonly rel: string;
  readonly type: string;
}

export interface Feature {
  readonly type: string;
  readonly id: string;
  readonly geometry: { readonly coordinates: readonly [number, number] } | null;
  readonly properties: Plain;
  readonly links?: readonly Link[];
}

export interface FeatureCollection {
  readonly type: string;
  readonly features: readonly Feature[];
  readonly links: readonly Link[];
  readonly numberMatched: number;
  readonly numberReturned: number;
  readonly timeStamp: string;
}

interface Collection extends Plain {
  readonly id: string;
  readonly links: readonly Link[];
  readonly crs: readonly string[];
  readonly output_formats: readonly string[];
  readonly parameter_names: Readonly<Record<string, Plain>>;
  readonly data_queries: Readonly<Record<string, { readonly link: QueryLink }>>;
  readonly extent: {
    readonly spatial: { readonly bbox: readonly [readonly number[]]; readonly crs: string };
    readonly temporal?: { readonly interval: readonly [readonly [string, string]] };
  };
}

interface QueryLink extends Link {
  readonly variables: Plain & {
    readonly output_formats: readonly string[];
    readonly default_output_format: string;
    readonly crs_details: readonly { readonly crs: string; readonly wkt: string }[];
  };
}

export interface OgcClient {
  /** @param address absolute, or below `/ogc`. */
  readonly ask: Ask;
  /** The JSON of a 200. */
  readonly json: <T = Plain>(address: string) => Promise<T>;
  readonly collections: () => Promise<readonly Collection[]>;
  /** Fails where a link lacks `rel` or `type`, or answers something else than its type; returns the relations. */
  readonly checkLinks: (t: Test, links: readonly Link[]) => Promise<readonly string[]>;
}

export const CRS84 = 'http://www.opengis.net/def/crs/OGC/1.3/CRS84';

/** Without parameters of media types. */
export function typeOf(answer: Answer): string {
  return fieldOf(answer, 'content-type')?.split(/; (?:charset|header)/, 1)[0] ?? '';
}

export async function ogcClient(t: Test): Promise<OgcClient> {
  const askService = asker(t, await sharedService());
  const ask: Ask = async (address, fields, method) => {
    const { pathname, search } = new URL(address.replace(/^(?!http)/, 'http://localhost/ogc'));
    return await askService(pathname + search, fields, method);
  };
  const json = async <T = Plain>(address: string): Promise<T> => {
    const answer = await ask(address);
    t.equal(answer.status, 200, address);
    return jsonOf(answer) as T;
  };
  return {
    ask,
    json,
    collections: async () =>
      (await json<{ collections: readonly Collection[] }>('/collections')).collections,
    checkLinks: async (t, links) => {
      for (const { href, rel, type } of links) {
        const answer = await ask(href);
        t.ok(rel && type && answer.status === 200, `${rel} ${href}`);
        const found = fieldOf(answer, 'content-type') ?? '';
        t.ok(found.startsWith(type), `${href}: ${found}`);
      }
      return links.map(({ rel }) => rel);
    },
  };
}

interface ApiParameter extends Plain {
  readonly name: string;
  readonly in: string;
  readonly schema: Plain;
}

interface ApiOperation {
  readonly parameters: readonly ApiParameter[];
  readonly responses: Readonly<Record<string, { readonly content?: Plain }>>;
}

export interface ApiDocument extends Plain {
  readonly paths: Readonly<Record<string, { readonly get: ApiOperation }>>;
}

/** The definition of a query parameter, as fragments of the standards write it. */
export function definitionOf(api: ApiDocument, path: string, parameter: string): unknown {
  const { parameters = [] } = api.paths[path]?.get ?? {};
  const found = parameters.find(({ name }) => name === parameter);
  if (found === undefined) return undefined;
  const { in: place, required, schema, style, explode } = found;
  return { in: place, required, type: schema['type'], style, explode };
}

export const LIST = { in: 'query', required: false, type: 'array', style: 'form', explode: false };
export const TEXT = { ...LIST, type: 'string' };
