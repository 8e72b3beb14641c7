/** `bura serve --demo` with the demonstration that comes with it: a month of a whole region. */
import t from 'tap';
import { getJson } from '../../support/service/requests.js';
import { startService } from '../../support/service/service.js';

void t.test('without a folder it serves what comes with it, in the expected version', async (t) => {
  const env = { EXPECTED_SCHEMA_VERSION: '1.3.0' };
  const service = await startService(t, { env, args: ['--demo'] });
  await service.waitForLog('activated');
  const published = service.plainLines.filter((line) =>
    line.includes('published the demonstration'),
  );
  t.match(published, [/\(\d{5,6} rows\) from \S+\/data\/demo into/]);
  const { body } = await getJson(service, '/meta');
  t.match(body, { schema_version: '1.3.0', demonstration: true });
  t.equal((await service.stop()).code, 0);
});
