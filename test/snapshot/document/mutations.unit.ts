/**
 * One wrong value, or one missing, in any valid document is refused, and the refusal names the place. Other mistakes, such
 * as ids that repeat, and every message: `cases.unit.ts`.
 */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import t from 'tap';
import { DocumentError } from '../../../src/snapshot/document/problems.js';
import { readSnapshot } from '../../../src/snapshot/document/read.js';
import type { JsonValue } from '../../../src/snapshot/domain/model.js';
import { validDocument, wholeDocument, writtenAnyHow } from './arbitrary-documents.js';
import { inChunks } from '../../support/documents/documents.js';
import { scaled } from '../../support/faults/chance.js';

type Plain = Record<string, JsonValue>;

/** By list, or `document`, and member: values that it may not have. */
const WRONG = JSON.parse(await readFile('test/fixtures/wrong-values.json', 'utf8')) as Readonly<
  Record<string, Readonly<Record<string, readonly JsonValue[]>>>
>;

const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  document: ['schema_version', 'snapshot_id', 'generated_at', 'supported_windows', 'counts'],
  organizations: ['organization_id', 'name', 'short_name'],
  networks: ['network_id', 'network_code', 'name', 'short_name'],
  components: ['component_id', 'short_name', 'unit'],
  stations: ['station_id', 'station_name', 'station_code', 'organization_id', 'network_id'],
  measurements: ['station_id', 'component_id', 'date', 'time', 'value'],
};

/** Members that have a meaning from schema version 1.3.0 on. */
const NEW = ['parameter_name', 'published_at_utc', 'updated_at_utc'];

/** Has the document be of 1.3.0, with no times of rows that could be wrong too. */
function makeNew(top: Plain): void {
  top['schema_version'] = '1.3.0';
  for (const row of top['measurements'] as Plain[]) {
    for (const name of NEW) Reflect.deleteProperty(row, name);
  }
}

for (const [list, members] of Object.entries(WRONG)) {
  const changes: readonly (readonly [member: string, value: JsonValue | undefined])[] = [
    ...Object.entries(members).flatMap(([member, values]) =>
      values.map((value) => [member, value] as const),
    ),
    ...(REQUIRED[list] ?? []).map((member) => [member, undefined] as const),
  ];
  await t.test(`names the place of what is wrong in ${list}`, async (t) => {
    const named = new Set<string>();
    await fc.assert(
      fc.asyncProperty(
        validDocument,
        fc.constantFrom(...changes),
        fc.infiniteStream(fc.nat()),
        async (document, [member, value], choices) => {
          const choice = (n: number): number => Number(choices.next().value) % Math.max(n, 1);
          const top = JSON.parse(JSON.stringify(wholeDocument(document))) as Plain;
          if (NEW.includes(member)) makeNew(top);
          const elements = list === 'document' ? [top] : (top[list] as Plain[]);
          const index = choice(elements.length);
          const element = elements[index];
          if (element === undefined) return;
          if (value === undefined) Reflect.deleteProperty(element, member);
          else element[member] = value;
          const path = list === 'document' ? member : `${list}[${index}].${member}`;
          const bytes = Buffer.from(writtenAnyHow(top, choice));
          const error: unknown = await readSnapshot(inChunks(bytes, 1000)).catch(
            (reason: unknown) => reason,
          );
          assert(error instanceof DocumentError, `accepted in spite of ${path}`);
          const paths = error.problems.map((problem) => problem.path);
          assert(paths.includes(path), `${path} is not among ${error.message}`);
          named.add(member);
        },
      ),
      { numRuns: scaled(50) },
    );
    t.pass([...named].sort().join(', '));
  });
}
