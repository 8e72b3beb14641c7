/** Reads finished answers for jobs, which so give the same values as the endpoints of those answers. */
import { SnapshotError } from '../../../snapshot/domain/snapshot-error.js';
import { asArray, asObject } from '../../../snapshot/local/msgpack.js';
import type { SnapshotReader } from '../../../snapshot/local/reader.js';

/** A finished answer as text; undefined where there is none. */
function answerText(reader: SnapshotReader, name: string): string | undefined {
  const bytes = reader.answer(name, 'identity');
  return bytes && Buffer.from(bytes).toString('utf8');
}

/**
 * A finished answer as the value that its JSON says.
 *
 * @throws {SnapshotError} `copy_damaged` where there is none.
 */
export function readAnswer(reader: SnapshotReader, name: string): unknown {
  const text = answerText(reader, name);
  if (text === undefined) throw new SnapshotError('copy_damaged', `no finished answer ${name}`);
  return JSON.parse(text);
}

/** A finished answer that is a list of objects; @throws {SnapshotError} `copy_damaged`. */
export function readAnswerList(
  reader: SnapshotReader,
  name: string,
): readonly Readonly<Record<string, unknown>>[] {
  return asArray(readAnswer(reader, name)).map(asObject);
}
