/** `docs/operations/first-service.md`, followed step by step on one machine's folder: all but packages, systemd and Caddy. */
import { execFile } from 'node:child_process';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';
import { AGENCIES } from '../../support/documents/agencies.js';
import { COMMAND } from '../../support/service/command.js';
import { get } from '../../support/service/requests.js';
import { eventually, makeRoot, startService } from '../../support/service/service.js';

const text = await readFile('docs/operations/first-service.md', 'utf8');

/** Commands of a Debian system, which the tests of the release run on one. */
const SYSTEM = /^(?:apt|systemctl) |^as_bura\(|etc\/systemd\/|example\.org|etc\/prometheus/;

/** The blocks of one language below the heading of a step, in order, with the page's paths below `root`. */
function blocksOf(step: string, language: string, root: string): readonly string[] {
  const [, section = ''] =
    new RegExp(`^## \\d+\\. ${step}\\n([^]*?)(?=^## |$(?![^]))`, 'm').exec(text) ?? [];
  return [...section.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\``, 'gm'))].map(
    ([, block = '']) =>
      block
        .replaceAll('/usr/share/doc/bura/', `${resolve('.')}/`)
        .replace(/(?<![\w/])\/(?=(?:etc|var|backup)\/)/g, `${root}/`),
  );
}

void t.test('a first public service', async (t) => {
  const root = await makeRoot(t);
  const agency = AGENCIES.find(({ name }) => name === 'coast');
  if (agency === undefined) throw new Error('no agency named coast');
  const { files, readings } = await agency.write(Date.UTC(2025, 9, 24, 22), 49);
  await mkdir(join(root, 'coast'));
  for (const [name, bytes] of files) await writeFile(join(root, 'coast', name), bytes);
  await mkdir(join(root, 'etc/bura'), { recursive: true });
  await mkdir(join(root, 'var/lib/bura'), { recursive: true });
  await symlink(join(root, 'store'), join(root, 'var/lib/bura/store'));
  // The store and the local copies are where `makeRoot` and `startService` have them.
  const store = `SNAPSHOT_STORE=file:${root}/store\nLOCAL_DIR=${root}/local\n`;
  await writeFile(join(root, 'etc/bura/bura.env'), store);
  const [settings = ''] = blocksOf('Settings', 'ini', root);
  t.match(settings, /^PUBLIC_BASE_URL=.*\nTRUST_PROXY=1\n/);

  const shell = [
    `bura() { "${process.execPath}" "${COMMAND}" "$@"; }`,
    'as_bura() { "$@"; }',
    'install() { mkdir -p "$3"; }',
    `set -ea; . "${root}/etc/bura/bura.env"`,
  ];
  const run = async (step: string, port = 0): Promise<string> => {
    const lines = blocksOf(step, 'sh', root).join('').split('\n');
    const own = lines.filter((line) => line !== '' && !SYSTEM.test(line));
    t.ok(own.length > 0, `${step} has commands of its own`);
    const script = [...shell, ...own].join('\n');
    const env = { PATH: process.env['PATH'] ?? '', PORT: String(port), HOST: '127.0.0.1' };
    return (await promisify(execFile)('bash', ['-c', script], { cwd: root, env })).stdout;
  };
  await run('Your words');
  await run('Your data');

  const env = Object.fromEntries(
    settings
      .trim()
      .split('\n')
      .map((line) => line.split('=') as [string, string])
      .filter(([name]) => name !== 'HOST' && name !== 'ADMIN_PORT' && name !== 'PUBLISH_FLAGS'),
  );
  const service = await startService(t, { root, env });
  await service.waitForLog('activated');
  const rows = await get(service, '/api/v1/observations.csv');
  t.equal(Number(rows.headers['x-record-count']), readings.length);
  t.match((await get(service, '/')).body.toString(), 'Environment Agency of Example');
  t.match((await get(service, '/llms.txt')).body.toString(), 'https://data.example.org/api/v1');
  const hasArchive = async (): Promise<boolean> =>
    (await get(service, '/api/v1/archive')).status === 200;
  await eventually('the archive is served', hasArchive);

  await run('Backup');
  for (const file of ['active.json', 'archive/index.json']) {
    const path = `demo/${file}`;
    const [copy, own] = [join(root, 'backup', path), join(root, 'store', path)];
    t.same(await readFile(copy), await readFile(own), file);
  }
  t.match(await run('Update, and go back', service.port), /active/);
  t.same(await service.stop(), { code: 0, signal: null });
});
