/** Compares the JSON API with answers computed without the service's code. */
import { gunzipSync } from 'node:zlib';
import type { PlainDocument } from '../documents/documents.js';
import { askAll, fieldOf, type Connection } from '../service/connection.js';
import { allTargets, expectedAnswers } from './expected-answers.js';

const NO_DATA = '{"detail":"No public data found for the requested resource."}';
const BAD_REQUEST = '{"detail":"Invalid request parameters."}';

/** Requests every target of the document's ids. @returns differences from the expected answers. */
export async function wrongAnswers(
  service: { readonly port: number },
  document: PlainDocument,
): Promise<string> {
  const expected = expectedAnswers(document);
  const targets = new Set([...allTargets(document), ...expected.keys()]);
  const wrong: string[] = [];
  await askAll(service.port, [...targets], {
    connections: 4,
    take: async (connection, target) => {
      const problem = await difference(connection, { target, expected, document });
      if (problem !== undefined) wrong.push(`${target}: ${problem}`);
    },
  });
  return wrong.slice(0, 5).join('\n');
}

async function difference(
  connection: Connection,
  of: {
    readonly target: string;
    readonly expected: ReadonlyMap<string, unknown>;
    readonly document: PlainDocument;
  },
): Promise<string | undefined> {
  const { target, expected, document } = of;
  const answer = await connection.ask({ target });
  const text = answer.body.toString('utf8');
  if (!expected.has(target)) {
    const [status, body] = isUnsupported(target, document) ? [400, BAD_REQUEST] : [404, NO_DATA];
    return answer.status === status && text === body ? undefined : `${answer.status} ${text}`;
  }
  if (answer.status !== 200) return `${answer.status} ${text}`;
  if (fieldOf(answer, 'x-snapshot-id') !== document['snapshot_id']) return 'another snapshot';
  const wanted = JSON.stringify(sorted(expected.get(target)));
  if (JSON.stringify(sorted(JSON.parse(text))) !== wanted) return `${text} instead of ${wanted}`;
  const compressed = await connection.ask({ target, fields: { 'Accept-Encoding': 'gzip' } });
  const isCompressed = fieldOf(compressed, 'content-encoding') === 'gzip';
  const same = isCompressed ? gunzipSync(compressed.body) : compressed.body;
  return same.equals(answer.body) ? undefined : 'gzip holds something else';
}

function isUnsupported(target: string, document: PlainDocument): boolean {
  const window = /window=(.*)$/.exec(target)?.[1];
  return (
    window !== undefined && !(document['supported_windows'] as readonly unknown[]).includes(window)
  );
}

/** The value with sorted members in objects, whose order has no meaning. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, member]): [string, unknown] => [name, sorted(member)])
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
}
