/** `bura serve --demo` with the demonstration that comes with it: a month of a whole region. */
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import t from 'tap';
import { startBura } from '../../support/service/command.js';
import { getJson } from '../../support/service/requests.js';

void t.test('without a folder it serves what comes with it, in the expected version', async (t) => {
  const root = t.testdir();
  const env = {
    SNAPSHOT_STORE: `file:${root}/store`,
    LOCAL_DIR: `${root}/local`,
    EXPECTED_SCHEMA_VERSION: '1.3.0',
    PORT: '0',
  };
  const child = startBura(['serve', '--demo', '--host', '127.0.0.1'], { env, directory: root });
  t.teardown(() => child.kill('SIGKILL'));
  const ended = once(child, 'exit');
  const published: string[] = [];
  let port = NaN;
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.includes('published the demonstration')) published.push(line);
    const listening = /^bura listening on http:\/\/127\.0\.0\.1:(\d+)$/.exec(line);
    if (listening) port = Number(listening[1]);
    if (line.includes('"msg":"activated"')) break;
  }
  t.match(published, [/\(\d{5,6} rows\) from \S+\/data\/demo into/]);
  const { body } = await getJson({ port }, '/meta');
  t.match(body, { schema_version: '1.3.0', demonstration: true });
  child.kill('SIGTERM');
  await ended;
  t.equal(child.exitCode, 0);
});
