/** Observations by words that the fuzzer does not draw: other notations of times and values, blanks, and what is refused. */
import t from 'tap';
import { BUILD_ID } from '../../../src/build-id.js';
import { ODD_CODES } from '../../support/documents/varied-document.js';
import { casesOf } from '../../support/readers/cases.js';
import { asker, fieldOf } from '../../support/service/connection.js';
import { sharedService } from '../../support/service/shared-service.js';

const ID = '20260910T000000Z-test';
const LIST = '/api/v1/observations';
const STREAM = '/api/v1/observations/stream';
const BAD_FROM = '{"detail":"Invalid `from` parameter. Expected ISO 8601 datetime."}';
const BAD_TO = '{"detail":"Invalid `to` parameter. Expected ISO 8601 datetime."}';

void t.test('observations', async (t) => {
  const ask = asker(t, await sharedService());
  const bodyOf = async (target: string): Promise<string> => {
    const { status, body } = await ask(target);
    t.equal(status, 200, target);
    return body.toString();
  };
  /** Whether two queries have one answer; `meta` repeats times in one notation. */
  const same = async (query: string, usual: string): Promise<void> => {
    for (const path of [LIST, STREAM])
      t.equal(await bodyOf(path + query), await bodyOf(path + usual));
  };

  await t.test('are filtered by values as they are escaped and trimmed', async (t) => {
    await same('?unknown=1&From=bad&from=&to=%20&station_id=&parameter_code=%09', '');
    await same('?parameter_code=Ethyl+benzene', '?parameter_code=Ethyl%20benzene');
    await same('?parameter_code=+PM10%20&station_id=%096', '?parameter_code=PM10&station_id=6');
    await same('?station_id=1&station_id=', '?station_id=1');
    const rowsOf = async (query: string): Promise<number> =>
      ((await bodyOf(STREAM + query)).match(/\n\{"station_id"/g) ?? []).length;
    for (const [at, code] of ODD_CODES.entries()) {
      const count = await rowsOf(`?parameter_code=${encodeURIComponent(code)}`);
      t.equal(count, at === 0 ? 216 : 2, code);
    }
    for (const nobody of [
      'station_id=06',
      'station_id=6.0',
      'station_id=-6',
      'parameter_code=Pm10',
    ]) {
      t.equal(await rowsOf(`?${nobody}`), 0, nobody);
    }
  });

  await t.test('are of a window in any notation of its ends', async () => {
    const at = '2026-09-09T20:00:00Z';
    for (const [written, time] of [
      ['2026-09-09', '2026-09-09T00:00:00Z'],
      ['2026-09-09T20:00', at],
      ['2026-09-09T22:00+02:00', at],
      ['2026-09-09T22:00%2B0200', at],
      ['2026-09-09T14:30:00-05:30', at],
      ['%202026-09-09t20:00:00,5z%20', '2026-09-09T20:00:00.500Z'],
      ['0000-01-01', '0000-01-01T00:00:00Z'],
      ['9999-12-31', '9999-12-31T00:00:00Z'],
    ] as const) {
      await same(`?from=${written}`, `?from=${time}`);
      await same(`?to=${written}&station_id=6`, `?to=${time}&station_id=6`);
    }
    await same('?from=yesterday&from=2026-09-09', '?from=2026-09-09');
  });

  await t.test('are refused for what is no date-time, with the documented message', async (t) => {
    for (const path of [LIST, STREAM]) {
      for (const text of casesOf('refused', 'date-times')) {
        for (const [query, body] of [
          [`?from=${text}`, BAD_FROM],
          [`?to=${text}`, BAD_TO],
          [`?to=${text}&from=${text}&station_id=999`, BAD_FROM],
        ] as const) {
          const answer = await ask(path + query);
          t.strictSame([answer.status, answer.body.toString()], [400, body], query);
        }
      }
    }
  });

  await t.test('have one entity tag, listed and streamed', async (t) => {
    for (const [path, type, disposition] of [
      [LIST, 'application/json', undefined],
      [STREAM, 'application/x-ndjson', `inline; filename="observations-${ID}.ndjson"`],
    ] as const) {
      for (const coding of ['identity', 'gzip']) {
        const answer = await ask(path, { 'Accept-Encoding': coding });
        t.equal(fieldOf(answer, 'content-type'), type);
        t.equal(fieldOf(answer, 'content-disposition'), disposition);
        t.equal(fieldOf(answer, 'etag'), `W/"${ID}-${BUILD_ID}"`);
      }
    }
  });
});
