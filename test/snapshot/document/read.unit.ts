/** Reading documents: whatever the way they are written, wherever they are damaged, however large they are. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import t from 'tap';
import { plainBytes } from '../../../src/snapshot/document/json/bytes.js';
import { DocumentError } from '../../../src/snapshot/document/problems.js';
import { readSnapshot } from '../../../src/snapshot/document/read.js';
import type { JsonValue, Snapshot } from '../../../src/snapshot/domain/model.js';
import { SnapshotError } from '../../../src/snapshot/domain/snapshot-error.js';
import { wholeDocument, writtenAnyHow } from './whole-document.js';
import { hourOf, inChunks, snapshotDocument } from '../../support/documents/documents.js';
import { scaled } from '../../support/faults/chance.js';

const small = Buffer.from(JSON.stringify(snapshotDocument()));

/** With columns as lists, NaN as null. */
function comparable({ observations, ...rest }: Snapshot): unknown {
  const { series, ...columns } = observations;
  const lists = Object.entries(columns).map(([name, column]) => [name, [...column]]);
  return JSON.parse(JSON.stringify({ ...rest, series, ...Object.fromEntries(lists) }));
}

/** The message of a refusal; empty without one. */
async function refusalOf(source: AsyncIterable<Uint8Array>): Promise<string> {
  try {
    await readSnapshot(source);
    return '';
  } catch (error) {
    if (error instanceof DocumentError) return error.message;
    throw error;
  }
}

function readPlain(document: unknown): Promise<Snapshot> {
  return readSnapshot(inChunks(Buffer.from(JSON.stringify(document)), 1000));
}

await t.test('reads a document as it was once read and found right', async (t) => {
  const snapshot = await readPlain(wholeDocument());
  const expected = await readFile('test/fixtures/varied-snapshot.json', 'utf8');
  t.strictSame(comparable(snapshot), JSON.parse(expected));
  t.ok(snapshot.observations.publishedAtMs?.buffer instanceof SharedArrayBuffer);
});

await t.test('takes nothing from the members of 1.3.0 before that version', async (t) => {
  const { observations, components } = await readPlain(wholeDocument('1.2.0'));
  t.notOk('publishedAtMs' in observations || 'updatedAtMs' in observations);
  t.match(components[2], { additional: { parameter_name: ' Etilbenzen ' } });
  t.notOk(components.some((one) => 'parameterName' in one));
});

await t.test('reads any valid document alike, however it is written and cut', async (t) => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('1.2.0', '1.3.0'),
      fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue({ maxDepth: 2 })),
      fc.infiniteStream(fc.nat()),
      fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 65_536 })),
      fc.boolean(),
      async (version, extra, choices, chunkBytes, zipped) => {
        const choice = (n: number): number => Number(choices.next().value) % n;
        const usual = JSON.stringify({ ...wholeDocument(version), extra });
        const [station] = wholeDocument(version)['stations'] as readonly object[];
        const more = { ...station, extra, ['__proto__']: extra };
        const json = usual.replace(JSON.stringify(station), () => JSON.stringify(more));
        const plain = Buffer.from(writtenAnyHow(JSON.parse(json) as JsonValue, choice));
        const read = await readSnapshot(inChunks(zipped ? gzipSync(plain) : plain, chunkBytes));
        const expected = await readPlain(JSON.parse(json));
        assert.deepStrictEqual(comparable(read), comparable(expected));
      },
    ),
    { numRuns: scaled(25) },
  );
  t.pass(`${scaled(25)} of them`);
});

await t.test('refuses more than four GiB, unpacked, and asks for no more of it', async (t) => {
  const chunk = Buffer.alloc(2 ** 30);
  let chunks = 0;
  const endless = async function* () {
    for (; ; chunks += 1) yield await Promise.resolve(chunk);
  };
  const bytes = plainBytes(endless(), (message) => {
    throw new Error(message);
  });
  let readBytes = 0;
  await t.rejects(
    async () => {
      for await (const { length } of bytes) readBytes += length;
    },
    { message: 'more than 4 GiB, unpacked' },
  );
  t.equal(readBytes, 4 * 2 ** 30);
  t.equal(chunks, 4);
});

await t.test('refuses a document that is cut short at any byte', async (t) => {
  for (let length = 0; length < small.length; length += 3) {
    const message = await refusalOf(inChunks(small.subarray(0, length), 512));
    assert.match(
      message,
      new RegExp(`cut short at byte ${length}$|not UTF-8 at byte ${length - 1}`),
    );
  }
  t.pass(`${small.length} of them`);
});

await t.test('reads gzip in several members and refuses anything else after it', async (t) => {
  const zipped = gzipSync(small);
  const members = Buffer.concat([gzipSync(small.subarray(0, 99)), gzipSync(small.subarray(99))]);
  for (const chunkBytes of [1, 7, 65_536]) {
    t.ok(await readSnapshot(inChunks(members, chunkBytes)));
    for (const tail of [Buffer.from('x'), Buffer.alloc(4), zipped, Buffer.from('{}')]) {
      await t.rejects(readSnapshot(inChunks(Buffer.concat([zipped, tail]), chunkBytes)), {
        code: 'document_invalid',
      });
    }
  }
});

await t.test('leaves out a byte-order mark, refuses what is not UTF-8 by offset', async (t) => {
  const marked = Buffer.concat([Buffer.from('\ufeff'), small]);
  t.ok(await readSnapshot(inChunks(marked, 1)));
  const at = small.indexOf('Ниш');
  for (const bad of [[0xff], [0xc3], [0xed, 0xa0, 0x80], [0xc0, 0xaf], [0xf5, 0x80, 0x80, 0x80]]) {
    const wrong = Buffer.concat([small.subarray(0, at), Buffer.from(bad), small.subarray(at)]);
    for (const chunkBytes of [1, 5, 65_536]) {
      await t.rejects(readSnapshot(inChunks(wrong, chunkBytes)), {
        message: new RegExp(`not UTF-8 at byte ${at}$`),
      });
    }
  }
});

await t.test('lists the first twenty problems and counts the others', async (t) => {
  const measurements = Array.from({ length: 100 }, () => ({ station_id: 1 }));
  await t.rejects(readPlain(snapshotDocument({ measurements })), {
    problemCount: 400,
    problems: { length: 20, 0: { path: 'measurements[0].component_id', message: 'missing' } },
    message: /^measurements\[0\]\.component_id: missing; [^\n]*; and 380 more$/,
  });
});

await t.test('bounds what a document can make large', async (t) => {
  const deep = '['.repeat(100_000);
  const documents = {
    'stations[0]: nested deeper than': `{"stations":${deep}`,
    'extra: nested deeper than': `{"extra":${deep}`,
    'measurements[0]: nested deeper than': `{"measurements":[{"extra":${deep}`,
    'a text longer than': `{"networks":[{"name":"${'a'.repeat(300_000)}"}]}`,
    'extra: a text longer than': `{"extra":"${'a'.repeat(5_000_000)}"}`,
    'the lists take more than': `{"networks":[${'[],'.repeat(1_200_000)}[]]}`,
    'document: more than 1000 members': `{${Array.from({ length: 1100 }, (_, at) => `"m${at}":0`).join()}}`,
  };
  for (const [expected, text] of Object.entries(documents)) {
    const message = await refusalOf(inChunks(Buffer.from(text), 65_536));
    t.ok(message.includes(expected), expected);
  }
});

await t.test('hands a failure of its source through as it is', async (t) => {
  const failure = new SnapshotError('store_unreachable', 'gone');
  for (const bytes of [small, gzipSync(small)]) {
    const source = async function* (): AsyncGenerator<Uint8Array> {
      yield* inChunks(bytes.subarray(0, 200), 64);
      throw failure;
    };
    const error: unknown = await readSnapshot(source()).catch((reason: unknown) => reason);
    t.equal(error, failure);
  }
});

// `test/differential` shuffles the rows of later times.
await t.test('orders rows from before 1970', async (t) => {
  const measurements = [23, 22, 1, 0].map((hour) => {
    return { station_id: 1, component_id: 1, ...hourOf((hour - 24) * 3_600_000), value: hour };
  });
  const { observations } = await readPlain(snapshotDocument({ measurements }));
  t.strictSame([...observations.hours], [-24, -23, -2, -1]);
  t.strictSame([...observations.values], [0, 1, 22, 23]);
  t.ok(observations.hours.buffer instanceof SharedArrayBuffer);
});
