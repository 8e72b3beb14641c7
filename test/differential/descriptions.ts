/** Expected descriptions of the data: index, digests, catalogue, descriptor; from the files that are served. */
import { createHash } from 'node:crypto';
import { fieldOf } from '../support/service/connection.js';
import { PATHS } from './endpoints.js';
import { HOUR_MS, RETENTION_HOURS, textOf } from './network.js';
import type { Row } from './oracle.js';
import { list, manifest, object, utc, type Compared, type Found } from './records.js';

async function files(ask: Compared['ask']) {
  const found = [];
  const bulk = Object.entries(PATHS).filter(([endpoint]) => endpoint.startsWith('bulk-'));
  for (const [, path] of bulk) {
    const answer = await ask(path);
    const sha256 = createHash('sha256').update(answer.body).digest('hex');
    const type = fieldOf(answer, 'content-type');
    found.push({ name: path.slice(13), path, size: answer.body.length, sha256, type });
  }
  return found.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** Lines of the file with the digests of the other ones, sorted. */
export async function sumLines(ask: Compared['ask']): Promise<readonly string[]> {
  const others = (await files(ask)).filter(({ name }) => name !== 'SHA256SUMS');
  return ['', ...others.map(({ name, sha256 }) => `${sha256}  ${name}`)].toSorted();
}

/** Resources by name, without `format`. */
export function readIndex(text: string): unknown {
  const { resources, ...index } = object(JSON.parse(text));
  const byName = list(resources).toSorted((a, b) =>
    textOf(a['name']) < textOf(b['name']) ? -1 : 1,
  );
  return { ...index, resources: byName.map((one) => ({ ...one, format: undefined })) };
}

export async function expectedIndex({ oracle, snapshotId, ask }: Found): Promise<unknown> {
  return {
    snapshot_id: snapshotId,
    generated_at_utc: utc(oracle.generatedAtMs),
    resources: (await files(ask)).map(({ name, path, size, sha256, type }) => ({
      name,
      format: undefined,
      content_type: type,
      size_bytes: size,
      sha256,
      download_url: path,
    })),
  };
}

const NODES = [
  'dcat:Catalog',
  'dcat:DataService',
  ...Array.from({ length: 3 }, () => 'dcat:Dataset'),
  ...Array.from({ length: 9 }, () => 'dcat:Distribution'),
  'foaf:Organization',
  'vcard:Organization',
];

function isArchived(node: Row): boolean {
  return textOf(node['@id']).includes('archive');
}

/** Types of nodes, dates, and files with their sizes and digests. */
export function readCatalogue(text: string): unknown {
  const graph = list(object(JSON.parse(text))['@graph']);
  const values = (name: string, of: (value: Row) => unknown): readonly unknown[] =>
    graph.flatMap((node) => (name in node ? [of(object(node[name]))] : []));
  // An archive has distributions of its own.
  const types = graph.flatMap((node) => (isArchived(node) ? [] : textOf(node['@type'])));
  return {
    nodes: types.toSorted(),
    modified: [...new Set(values('dct:modified', (one) => one['@value']))],
    periods: values('dct:temporal', (one) =>
      ['dcat:startDate', 'dcat:endDate'].map((name) => object(one[name])['@value']),
    ),
    files: graph
      .filter((node) => 'dcat:downloadURL' in node)
      .map((node) => [
        textOf(object(node['dcat:downloadURL'])['@id']).replace(/^http:\/\/localhost/, ''),
        object(node['dcat:byteSize'])['@value'],
        object(object(node['spdx:checksum'])['spdx:checksumValue'])['@value'],
      ])
      .toSorted(),
  };
}

export async function expectedCatalogue({ oracle, ask }: Found): Promise<unknown> {
  const { generatedAtMs } = oracle;
  const period = [utc(generatedAtMs - RETENTION_HOURS * HOUR_MS), utc(generatedAtMs)];
  return {
    nodes: NODES,
    modified: [utc(generatedAtMs)],
    periods: [period, period, period],
    files: (await files(ask))
      .filter(({ name }) => /^(?:stations|parameters|observations)/.test(name))
      .map(({ path, size, sha256 }) => [path, `${size}`, sha256])
      .toSorted(),
  };
}

export function readDescriptor(text: string): unknown {
  const { snapshot_schema_version, snapshot_id, generated_at_utc, supported_windows, counts } =
    object(JSON.parse(text));
  return { snapshot_schema_version, snapshot_id, generated_at_utc, supported_windows, counts };
}

export function expectedDescriptor(compared: Found): unknown {
  const { schema_version, generated_at, hour_minute: _, ...counted } = manifest(compared);
  return { ...counted, snapshot_schema_version: schema_version, generated_at_utc: generated_at };
}
