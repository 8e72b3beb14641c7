/** The soak itself: it finds nothing in a service that is right, and a single wrong digit in one that is not. */
import { connect, createServer, type AddressInfo } from 'node:net';
import t from 'tap';
import { runChaos, type ChaosOptions } from '../../../bench/soak/chaos.js';

/** Bodies of more than one snapshot and a publish in it, as short as can be. */
const SHORT: ChaosOptions = {
  shape: 'soak',
  seconds: 4,
  connections: 8,
  documents: 4,
  fronts: 1,
  atOnce: 1,
  faults: [],
  seed: 1,
  progress: () => undefined,
};

void t.test('finds every answer in which a digit was changed on the way', async (t) => {
  const proxies: FlippingProxy[] = [];
  const { counts } = await runChaos({
    ...SHORT,
    through: async (port) => {
      const proxy = await flippingProxy(port);
      proxies.push(proxy);
      return proxy;
    },
  });
  const flipped = proxies[0]?.flipped() ?? 0;
  t.ok(flipped > 0, 'some digits were changed');
  t.ok(counts.wrong.count > 0, `${counts.wrong.count} of ${flipped} found`);
  // Answers that were under way at the end were changed and never checked.
  t.ok(flipped - counts.wrong.count <= SHORT.connections, `${counts.wrong.count} of ${flipped}`);
  t.match(counts.wrong.first[0], /differs from byte/);
  t.same(counts.failed, NONE);
});

void t.test('what is killed and taken away makes no answer wrong', async (t) => {
  const { byFault, broken, counts, moves } = await runChaos({
    ...SHORT,
    fronts: 2,
    atOnce: 2,
    faults: ['front killed', 'import killed'],
  });
  t.same([counts.wrong, broken], [NONE, []]);
  t.ok(counts.answers > 0 && moves > 0, `${counts.answers} answers, ${moves} moves`);
  t.ok(counts.computed > 0 && counts.notModified > 0, JSON.stringify(counts));
  t.ok(counts.swaps > 0, `${counts.swaps} swaps`);
  const made = Object.values(byFault).reduce((sum, fault) => sum + fault.made, 0);
  t.ok(made > 0, JSON.stringify(byFault));
});

const NONE = { count: 0, first: [] };

interface FlippingProxy {
  readonly port: number;
  flipped(): number;
  close(): void;
}

/** Every third value of a plain answer that arrives in one piece gets another last digit. */
const VALUE = /("value":\d+\.\d*)([0-8])([,}])/;

/** Changes nothing but one digit, so that lengths and header fields stay as they are. */
async function flippingProxy(servicePort: number): Promise<FlippingProxy> {
  let seen = 0;
  let flipped = 0;
  const server = createServer((client) => {
    const upstream = connect(servicePort, '127.0.0.1');
    client.pipe(upstream);
    upstream.on('data', (chunk: Buffer) => {
      const text = chunk.toString('latin1');
      const changed = text.startsWith('HTTP/1.1 200') && (seen += 1) % 3 === 0;
      const sent = changed
        ? text.replace(VALUE, (_match, before: string, digit: string, after: string) => {
            flipped += 1;
            return `${before}${Number(digit) + 1}${after}`;
          })
        : text;
      client.write(Buffer.from(sent, 'latin1'));
    });
    client.on('error', () => undefined).on('close', () => upstream.destroy());
    upstream.on('error', () => undefined).on('close', () => client.destroy());
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    flipped: () => flipped,
    close: () => server.close(),
  };
}
