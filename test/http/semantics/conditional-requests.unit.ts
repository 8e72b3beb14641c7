/** Conditional requests: lists of tags, dates, and which of both counts. */
import fc from 'fast-check';
import t from 'tap';
import {
  isNotModified,
  parseHttpDate,
  httpDate,
  variantValidators,
  type Validators,
} from '../../../src/http/semantics/representation.js';

const snapshotId = '20260910T000000Z-a.b_c';
const DATE_MS = Date.parse('2026-09-10T00:00:00Z');

const TAG = `${snapshotId}-abcd0123`;

const validators: Validators = { entityTag: `W/"${TAG}"`, lastModified: DATE_MS };

const none = { ifNoneMatch: '', ifModifiedSince: '' };

/** Other tags: whatever may stand between quotes, without being ours. */
const otherTag = fc
  .string({
    unit: fc.constantFrom('a', ',', ' ', '*', '-', 'W', '/', snapshotId, TAG),
    maxLength: 4,
  })
  .filter((text) => ![TAG, `${TAG}-gzip`].includes(text))
  .map((text) => `"${text}"`);

const weakness = fc.constantFrom('', 'W/');

void t.test('any list that holds the tag matches, any that does not does not', async () => {
  const others = fc.array(
    fc.tuple(weakness, otherTag).map((parts) => parts.join('')),
    { maxLength: 4 },
  );
  const joint = fc.constantFrom(',', ', ', ' ,', ',,', '\t, ');
  fc.assert(
    fc.property(others, others, weakness, fc.constantFrom('', '-gzip'), joint, (...drawn) => {
      const [before, after, weak, suffix, comma] = drawn;
      const own = `${weak}"${TAG}${suffix}"`;
      const listed = { ...none, ifNoneMatch: [...before, own, ...after].join(comma) };
      const unlisted = { ...none, ifNoneMatch: [...before, ...after].join(comma) };
      return isNotModified(listed, validators) && !isNotModified(unlisted, validators);
    }),
  );
});

void t.test('a date counts only without a tag, from the last change on', async (t) => {
  const since = (ifModifiedSince: string, ifNoneMatch = '', of = validators): boolean =>
    isNotModified({ ifNoneMatch, ifModifiedSince }, of);
  const undated = variantValidators(validators, 'page');
  fc.assert(
    fc.property(fc.integer({ min: -1_000_000, max: 1_000_000 }), (seconds) => {
      const text = httpDate(DATE_MS + seconds * 1000);
      const isAsked = since(text) === seconds >= 0 && !since(text, '"other"');
      return isAsked && !since(text, '', undated);
    }),
  );
  t.equal(since('Wed, 09 Sep 2026 00:00:00 GMT', validators.entityTag), true);
});

void t.test('dates are read back as they are written, and nothing else is a date', async (t) => {
  fc.assert(
    fc.property(
      fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true }),
      (date) => {
        const seconds = Math.floor(date.getTime() / 1000) * 1000;
        return parseHttpDate(httpDate(seconds)) === seconds;
      },
    ),
  );
  const others = [
    '',
    '2026-09-10T00:00:00Z',
    'Thu, 10 Sep 2026 00:00:00',
    'Thu, 10 Sep 2026 00:00:00 +0000',
    'Fri, 10 Sep 2026 00:00:00 GMT',
    'Tue, 31 Feb 2026 00:00:00 GMT',
    'Thursday, 10-Sep-26 00:00:00 GMT',
    'Thu Sep 10 00:00:00 2026',
    'Invalid Date',
    '1757462400000',
  ];
  for (const text of others) t.equal(parseHttpDate(text), undefined, text);
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => parseHttpDate(text) === undefined),
  );
});
