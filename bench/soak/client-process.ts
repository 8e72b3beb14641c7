/** The process of the soak's client and oracle, which is separate because it parses documents and checks answers. */
import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import { Checker } from './checker.js';
import { SoakClient, type SoakClientOptions, type SoakCounts } from './client.js';
import { Oracle, type PlainDocument } from './oracle.js';
import { SoakRequests } from './requests.js';

export interface SoakOrder extends SoakClientOptions {
  /** Snapshot documents, gzipped, of one network: all that may be activated. */
  readonly files: readonly string[];
  readonly seed: number;
}

/** Messages to this process, an order first; each is answered with the counts so far, once it has been acted upon. */
export type ToSoak = SoakOrder | 'counts' | 'stop';

async function createSoakClient(order: SoakOrder): Promise<SoakClient> {
  const oracles = new Map<string, Oracle>();
  let endMs = Infinity;
  for (const file of order.files) {
    const text = gunzipSync(await readFile(file)).toString();
    const document = JSON.parse(text) as PlainDocument;
    const oracle = new Oracle(document);
    oracles.set(oracle.snapshotId, oracle);
    endMs = Math.min(endMs, Date.parse(String(document['generated_at'])));
  }
  const [first] = oracles.values();
  if (first === undefined) throw new Error('a soak needs a snapshot');
  const requests = new SoakRequests(first, { seed: order.seed, endMs });
  return new SoakClient(order, requests, new Checker(oracles));
}

let client: SoakClient | undefined;

async function act(message: ToSoak): Promise<SoakCounts> {
  if (typeof message !== 'string') client = await createSoakClient(message);
  if (client === undefined) throw new Error('the client was not started');
  return message === 'stop' ? client.stop() : client.counts();
}

process.on('message', (message: ToSoak) => {
  void act(message).then((counts) =>
    process.send?.(counts, () => {
      if (message === 'stop') process.exit(0);
    }),
  );
});
