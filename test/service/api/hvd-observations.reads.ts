/** Observations, listed and streamed: filters as they are escaped, refusals, header fields and codings. Any filter and window: `selection.reads.ts`. */
import t from 'tap';
import { BUILD_ID } from '../../../src/build-id.js';
import { ODD_CODES, variedDocument } from '../../support/documents/varied-document.js';
import { ExpectedHvd, type Asked } from '../../support/expected/expected-hvd.js';
import { assertSame } from '../../support/expected/observation-answers.js';
import { casesOf } from '../../support/readers/cases.js';
import { asker, fieldOf, keptConnection } from '../../support/service/connection.js';
import { activePointer } from '../../support/service/service.js';
import { sharedService } from '../../support/service/shared-service.js';

const ID = '20260910T000000Z-test';
const TAG = `W/"${ID}-${BUILD_ID}"`;
const LIST = '/api/v1/observations';
const STREAM = '/api/v1/observations/stream';
const BAD_FROM = '{"detail":"Invalid `from` parameter. Expected ISO 8601 datetime."}';
const BAD_TO = '{"detail":"Invalid `to` parameter. Expected ISO 8601 datetime."}';

void t.test('observations', async (t) => {
  const service = await sharedService();
  const expected = new ExpectedHvd(variedDocument());
  const connection = keptConnection(t, service.port);
  const ask = asker(t, service);
  const same = async (query: string, asked: Asked): Promise<void> => {
    await assertSame(connection, expected, { query, asked });
  };

  await t.test('without a filter are all records in order, nulls too', async (t) => {
    const { records } = expected.observations();
    t.ok(records.length > 200, `${records.length} records`);
    t.ok(records.some(({ value }) => value === null));
    await same('', {});
    await same('?', {});
    await same('?unknown=1&From=bad', {});
    await same('?from=&to=%20&station_id=&parameter_code=%09', {});
  });

  await t.test('are filtered by values as they are escaped and trimmed', async (t) => {
    for (const parameterCode of [...ODD_CODES, 'Pm10', 'PM', 'TEST', '']) {
      const asked = parameterCode === '' ? {} : { parameterCode };
      await same(`?parameter_code=${encodeURIComponent(parameterCode)}`, asked);
    }
    for (const stationId of ['6', '9', '999', '01', '1.0', '-1', 'ž']) {
      await same(`?station_id=${encodeURIComponent(stationId)}`, { stationId });
    }
    await same('?parameter_code=Ethyl%20benzene', { parameterCode: 'Ethyl benzene' });
    await same('?parameter_code=Ethyl+benzene', { parameterCode: 'Ethyl benzene' });
    await same('?parameter_code=+PM10%20&station_id=%096', {
      parameterCode: 'PM10',
      stationId: '6',
    });
    await same('?station_id=1&station_id=', { stationId: '1' });
    t.ok(expected.observations({ parameterCode: 'pm10' }).records.length > 0);
  });

  await t.test('are of a window in any notation of its ends, within what is kept', async () => {
    const at = '2026-09-09T20:00:00.000Z';
    for (const [written, time] of [
      ['2026-09-09', '2026-09-09T00:00:00.000Z'],
      ['2026-09-09T20:00', at],
      ['2026-09-09T22:00+02:00', at],
      ['2026-09-09T22:00%2B0200', at],
      ['2026-09-09T14:30:00-05:30', at],
      ['%202026-09-09t20:00:00,5z%20', '2026-09-09T20:00:00.500Z'],
      ['0000-01-01', '0000-01-01T00:00:00.000Z'],
      ['9999-12-31T23:59:59Z', '9999-12-31T23:59:59.000Z'],
    ] as const) {
      await same(`?from=${written}`, { from: time });
      await same(`?to=${written}&station_id=6`, { to: time, stationId: '6' });
      await same(`?from=${written}&to=${written}`, { from: time, to: time });
    }
    await same('?from=yesterday&from=2026-09-09', { from: '2026-09-09T00:00:00.000Z' });
  });

  await t.test('are refused for what is no date-time, with the documented message', async (t) => {
    for (const path of [LIST, STREAM]) {
      for (const text of casesOf('refused', 'date-times')) {
        for (const [query, body] of [
          [`?from=${text}`, BAD_FROM],
          [`?to=${text}`, BAD_TO],
          [`?to=${text}&from=${text}`, BAD_FROM],
          [`?from=2026-09-09&from=${text}&station_id=999`, BAD_FROM],
        ] as const) {
          const answer = await ask(path + query);
          t.strictSame([answer.status, answer.body.toString()], [400, body], query);
        }
      }
    }
  });

  await t.test('say how they are to be cached, named and validated', async (t) => {
    const activatedAt = new Date((await activePointer(service)).activatedAtMs).toUTCString();
    for (const [path, type, disposition] of [
      [LIST, 'application/json', undefined],
      [STREAM, 'application/x-ndjson', `inline; filename="observations-${ID}.ndjson"`],
    ] as const) {
      for (const coding of ['identity', 'gzip']) {
        const fields = { 'Accept-Encoding': coding };
        const answer = await ask(path, fields);
        t.equal(fieldOf(answer, 'content-type'), type);
        t.equal(fieldOf(answer, 'content-encoding'), coding === 'gzip' ? 'gzip' : undefined);
        t.equal(fieldOf(answer, 'etag'), TAG);
        t.match(fieldOf(answer, 'cache-control'), /^public, max-age=\d+/);
        t.equal(fieldOf(answer, 'vary'), 'Accept-Encoding');
        t.equal(fieldOf(answer, 'last-modified'), activatedAt);
        t.equal(fieldOf(answer, 'x-snapshot-id'), ID);
        t.equal(fieldOf(answer, 'content-disposition'), disposition);
      }
    }
  });
});
