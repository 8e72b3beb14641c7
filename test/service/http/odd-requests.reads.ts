/** Odd targets: each has the status that it says, however it is escaped. What is no HTTP: `rules.reads.ts`. */
import t from 'tap';
import { variedDocument } from '../../support/documents/varied-document.js';
import { expectedAnswers } from '../../support/expected/expected-answers.js';
import { predictedStatus } from './predicted-status.js';
import { casesOf } from '../../support/readers/cases.js';
import { askAll } from '../../support/service/connection.js';
import { sharedService } from '../../support/service/shared-service.js';

/** Bytes as latin-1 characters, so that a target can be read where it fails. */
const oddTexts = (list: string): readonly string[] =>
  [...casesOf('odd', list), '\u00ff\u00fe'].map((text) => Buffer.from(text).toString('latin1'));

const PAIRS = ['organization_id=1', 'station_id=1', 'component_id=8', 'window=1d'];
const SERIES = `/measurements?${PAIRS.join('&')}`;

/** Where an odd value replaces a right one. */
const PLACES = [
  ...casesOf('odd', 'places'),
  ...PAIRS.map((pair) => SERIES.replace(pair, pair.replace(/=.*/, '={}'))),
];

/** Parameters that are spelled, joined, repeated or left out in other ways. */
const RESPELLED = PAIRS.flatMap((pair) =>
  [
    ...[`%${pair.charCodeAt(0).toString(16)}${pair.slice(1)}`, pair.toUpperCase()],
    ...[pair.replace('=', '%00='), pair.replace('=', ''), pair.replace('=', '==')],
    ...[pair.replace('=', '%3D'), pair.replace(/.*=/, '='), '', `&&${pair}&&x=y`],
    ...[`${pair}&${pair.replace(/=.*/, '=2')}`, `${pair.replace(/=.*/, '=x')}&${pair}`],
  ].map((odd) => SERIES.replace(pair, odd)),
);

/** Good targets with a text inserted or replaced at each of the first fifty positions. */
const SPOILED = [...casesOf('odd', 'to spoil'), SERIES].flatMap((target) =>
  oddTexts('put into a path').flatMap((odd) =>
    Array.from({ length: Math.min(target.length, 50) }, (_, at) => at + 1).map(
      (at) => target.slice(0, at) + odd + target.slice(at + (at % 2)),
    ),
  ),
);

void t.test('odd targets have the status that they say', async (t) => {
  const service = await sharedService();
  const known = new Set(expectedAnswers(variedDocument()).keys());
  const placed = PLACES.flatMap((place) =>
    oddTexts('values of parameters').map((odd) => place.replace('{}', () => odd)),
  );
  const seen = new Set<number>();
  const wrong: string[] = [];
  await askAll(service.port, [...placed, ...RESPELLED, ...SPOILED], {
    connections: 4,
    take: async (connection, target) => {
      const bytes = Buffer.from(target, 'latin1');
      const predicted = predictedStatus(bytes, known);
      const { status, body } = await connection.ask({ target: bytes });
      seen.add(status);
      // A request that is too long is refused by the library, which knows no JSON.
      const isSaid = status < 400 || status === 431 || /^\{"detail":/.test(body.toString());
      if (status === (predicted ?? status) && status < 500 && isSaid) return;
      wrong.push(`${status}, not ${predicted}, to ${JSON.stringify(target)}`);
    },
  });
  t.same(wrong.slice(0, 5), [], `${wrong.length} are wrong`);
  t.same([...seen].toSorted(), [200, 308, 400, 404, 422, 431], 'every status came up');
});
