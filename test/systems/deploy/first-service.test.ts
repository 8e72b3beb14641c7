/** The configuration of Caddy in `docs/operations/first-service.md`, read by Caddy itself. */
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';

void t.test('Caddy accepts the configuration of a first service', async (t) => {
  const page = await readFile('docs/operations/first-service.md', 'utf8');
  const [, configuration = ''] = /```caddy\n([^]*?)```/.exec(page) ?? [];
  const file = join(t.testdir(), 'Caddyfile');
  await writeFile(file, configuration);
  const words = ['adapt', '--adapter', 'caddyfile', '--config', file];
  const { stdout } = await promisify(execFile)('caddy', words);
  t.match(stdout, '"host":["data.example.org"]');
  t.match(stdout, '"dial":"127.0.0.1:8080"');
  t.match(stdout, '"compression":false');
});
