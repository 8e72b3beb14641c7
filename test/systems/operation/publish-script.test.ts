/** `deploy/publish/publish.sh` as a linter of shell scripts reads it; what it does is in test/service/operation. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import t from 'tap';

void t.test('shellcheck finds nothing', async (t) => {
  await t.resolves(promisify(execFile)('shellcheck', ['deploy/publish/publish.sh']));
});
