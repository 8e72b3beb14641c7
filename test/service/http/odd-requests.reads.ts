/** Odd requests: each has the status that its target says, however it is escaped. What is no HTTP: `rules.reads.ts`. */
import t from 'tap';
import { variedDocument } from '../../support/documents/varied-document.js';
import { expectedAnswers } from '../../support/expected/expected-answers.js';
import { predictedStatus } from '../../support/expected/predicted-status.js';
import { casesOf } from '../../support/readers/cases.js';
import { askAll, fieldOf } from '../../support/service/connection.js';
import { sharedService } from '../../support/service/shared-service.js';

/** Bytes as latin-1 characters, so that a target can be read where it fails. */
const typed = (text: string): string => Buffer.from(text).toString('latin1');
const [ODD_VALUES, PUT_IN] = ['values of parameters', 'put into a path'].map((list) =>
  [...casesOf('odd', list), '\u00ff\u00fe'].map(typed),
) as [string[], string[]];

const SERIES = '/measurements?organization_id=1&station_id=1&component_id=8&window=1d';

/** Where an odd value replaces a right one. */
const PLACES = [
  ...['/{}/stations', '/1/stations/{}', '/{}/stations/1/meta', '/1/stations/{}/meta'],
  ...['/1/stations/{}/measurements/last_24h', '/health/ready?deep={}'],
  ...['organization_id=1', 'station_id=1', 'component_id=8', 'window=1d'].map((pair) =>
    SERIES.replace(pair, pair.replace(/=.*/, '={}')),
  ),
];

/** Parameters that are spelled, joined, repeated or left out in other ways. */
const PAIRS = ['organization_id=1', 'station_id=1', 'component_id=8', 'window=1d'].flatMap((pair) =>
  [
    ...[`%${pair.charCodeAt(0).toString(16)}${pair.slice(1)}`, pair.toUpperCase()],
    ...[pair.replace('=', '%00='), pair.replace('=', ''), pair.replace('=', '==')],
    ...[pair.replace('=', '%3D'), pair.replace(/.*=/, '='), '', `&&${pair}&&x=y`],
    ...[`${pair}&${pair.replace(/=.*/, '=2')}`, `${pair.replace(/=.*/, '=x')}&${pair}`],
  ].map((odd) => SERIES.replace(pair, odd)),
);

/** Good targets with a text inserted or replaced at each of the first fifty positions. */
const SPOILED = [
  ...['/meta', '/1/stations', '/1/stations/1/meta', '/health/live'],
  ...['/1/stations/1/measurements/last_24h', SERIES],
].flatMap((target) =>
  PUT_IN.flatMap((odd) =>
    Array.from({ length: Math.min(target.length, 50) }, (_, at) => at + 1).map(
      (at) => target.slice(0, at) + odd + target.slice(at + (at % 2)),
    ),
  ),
);

void t.test('odd targets have the status that they say', async (t) => {
  const service = await sharedService();
  const known = new Set(expectedAnswers(variedDocument()).keys());
  const placed = PLACES.flatMap((place) => ODD_VALUES.map((odd) => place.replace('{}', () => odd)));
  const seen = new Map<number, number>();
  const wrong: string[] = [];
  await askAll(service.port, [...placed, ...PAIRS, ...SPOILED], {
    connections: 4,
    take: async (connection, target) => {
      const bytes = Buffer.from(target, 'latin1');
      const predicted = predictedStatus(bytes, known);
      const answer = await connection.ask({ target: bytes });
      const { status } = answer;
      seen.set(status, (seen.get(status) ?? 0) + 1);
      // A request that is too long is refused by the library, which knows no JSON.
      const isSaid =
        status < 400 ||
        status === 431 ||
        (fieldOf(answer, 'content-type') === 'application/json' &&
          /^\{"detail":/.test(answer.body.toString()));
      if (status === (predicted ?? status) && status < 500 && isSaid) return;
      wrong.push(`${status}, not ${predicted}, to ${JSON.stringify(target)}`);
    },
  });
  t.same(wrong.slice(0, 5), [], `${wrong.length} are wrong`);
  t.same([...seen.keys()].toSorted(), [200, 308, 400, 404, 422, 431], 'every status came up');
});
