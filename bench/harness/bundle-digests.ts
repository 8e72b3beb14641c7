/** The bulk bundle as its index describes it. */
import { ask, headerOf } from './exchange.js';

interface BulkIndex {
  readonly resources: readonly { readonly name: string; readonly sha256: string }[];
}

/**
 * The SHA-256 of every file of a service's bundle, a line each.
 *
 * @throws when it is that of another snapshot.
 */
export async function bundleDigests(port: number, snapshotId: string): Promise<string> {
  const answer = await ask(port, { path: '/api/v1/bulk', headers: {} });
  if (answer.status !== 200 || headerOf(answer, 'x-snapshot-id') !== snapshotId) {
    throw new Error(`no bundle of ${snapshotId}: ${answer.statusLine}`);
  }
  const { resources } = JSON.parse(answer.body.toString()) as BulkIndex;
  return resources.map(({ name, sha256 }) => `${sha256}  ${name}`).join('\n');
}
