/** Pages for operators, followed step by step: their commands are run as they stand there, on the files that they describe. */
import { execFile } from 'node:child_process';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import t, { type Test } from 'tap';
import { AGENCIES } from '../../support/documents/agencies.js';
import { COMMAND } from '../../support/service/command.js';
import { get, getJson } from '../../support/service/requests.js';
import { eventually, makeRoot, startService } from '../../support/service/service.js';

t.jobs = 2;

const FIRST_SERVICE = await readFile('docs/operations/first-service.md', 'utf8');
const FROM_YOUR_EXPORT = await readFile('docs/from-your-export.md', 'utf8');

/** Commands of a Debian system, which the tests of the release run on one. */
const SYSTEM = /^(?:apt|systemctl) |^as_bura\(|etc\/systemd\/|example\.org|etc\/prometheus/;

/** The blocks of one language, in order. */
function blocksOf(text: string, language: string): readonly string[] {
  const blocks = text.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\``, 'gm'));
  return [...blocks].map(([, block = '']) => block);
}

/** Writes the files of an agency, of the night in which clocks are put back, into a folder of its name. */
async function writeFiles(t: Test, name: string) {
  const root = await makeRoot(t);
  const agency = AGENCIES.find((one) => one.name === name);
  if (agency === undefined) throw new Error(`no agency named ${name}`);
  const { files, readings } = await agency.write(Date.UTC(2025, 9, 24, 22), 49);
  await mkdir(join(root, name));
  for (const [file, bytes] of files) await writeFile(join(root, name, file), bytes);
  const run = async (script: string, env: Readonly<Record<string, string>>): Promise<string> => {
    const lines = [`bura() { "${process.execPath}" "${COMMAND}" "$@"; }`, 'set -e', script];
    const environment = { PATH: process.env['PATH'] ?? '', ...env };
    const options = { cwd: root, env: environment };
    return (await promisify(execFile)('bash', ['-c', lines.join('\n')], options)).stdout;
  };
  return { root, agency, files, readings, run };
}

void t.test('a first public service: all but packages, systemd and Caddy', async (t) => {
  const { root, readings, run } = await writeFiles(t, 'coast');
  await mkdir(join(root, 'etc/bura'), { recursive: true });
  await mkdir(join(root, 'var/lib/bura'), { recursive: true });
  await symlink(join(root, 'store'), join(root, 'var/lib/bura/store'));
  // The store and the local copies are where `makeRoot` and `startService` have them.
  const store = `SNAPSHOT_STORE=file:${root}/store\nLOCAL_DIR=${root}/local\n`;
  await writeFile(join(root, 'etc/bura/bura.env'), store);
  /** The blocks below the heading of a step, with the page's paths below `root`. */
  const blocksBelow = (step: string, language: string): readonly string[] => {
    const heading = new RegExp(`^## \\d+\\. ${step}\\n([^]*?)(?=^## |$(?![^]))`, 'm');
    return blocksOf(heading.exec(FIRST_SERVICE)?.[1] ?? '', language).map((block) =>
      block
        .replaceAll('/usr/share/doc/bura/', `${resolve('.')}/`)
        .replace(/(?<![\w/])\/(?=(?:etc|var|backup)\/)/g, `${root}/`),
    );
  };
  const [settings = ''] = blocksBelow('Settings', 'ini');
  t.match(settings, /^PUBLIC_BASE_URL=.*\nTRUST_PROXY=1\n/);
  const follow = async (step: string, port = 0): Promise<string> => {
    const lines = blocksBelow(step, 'sh').join('').split('\n');
    const own = lines.filter((line) => line !== '' && !SYSTEM.test(line));
    t.ok(own.length > 0, `${step} has commands of its own`);
    const shell = ['as_bura() { "$@"; }', 'install() { mkdir -p "$3"; }', 'set -a'];
    const script = [...shell, `. "${root}/etc/bura/bura.env"`, ...own].join('\n');
    return await run(script, { PORT: String(port), HOST: '127.0.0.1' });
  };
  await follow('Your words');
  await follow('Your data');

  const lines = settings.trim().split('\n');
  const env = Object.fromEntries(
    lines
      .map((line) => line.split('=') as [string, string])
      .filter(([name]) => name !== 'HOST' && name !== 'ADMIN_PORT' && name !== 'PUBLISH_FLAGS'),
  );
  const service = await startService(t, { root, env });
  await service.waitForLog('activated');
  const rows = await get(service, '/api/v1/observations.csv');
  t.equal(Number(rows.headers['x-record-count']), readings.length);
  t.match((await get(service, '/')).body.toString(), 'Environment Agency of Example');
  t.match((await get(service, '/llms.txt')).body.toString(), 'https://data.example.org/api/v1');
  await eventually('the archive is served', async () => {
    return (await get(service, '/api/v1/archive')).status === 200;
  });

  await follow('Backup');
  for (const file of ['active.json', 'archive/index.json']) {
    const copy = await readFile(join(root, 'backup/demo', file));
    t.same(copy, await readFile(join(root, 'store/demo', file)), file);
  }
  t.match(await follow('Update, and go back', service.port), /active/);
  t.same(await service.stop(), { code: 0, signal: null });
});

for (const { name } of AGENCIES) {
  void t.test(`from your export: the folder ${name}`, async (t) => {
    const { root, agency, files, readings, run } = await writeFiles(t, name);
    await symlink(resolve('docs'), join(root, 'docs'));
    const decoder = new TextDecoder(agency.encoding);
    const texts = [...files.values()].map((bytes) => decoder.decode(bytes).replaceAll('\r', ''));
    const own = blocksOf(FROM_YOUR_EXPORT, 'csv').filter((block) =>
      texts.some((text) => text.startsWith(block.trim())),
    );
    t.equal(own.length, name === 'coast' ? 2 : 1, 'the files are as the page shows them');
    /** Runs the only shell block that has these words, but for its last line. @returns that line. */
    const follow = async (words: string): Promise<string | undefined> => {
      const block = blocksOf(FROM_YOUR_EXPORT, 'sh').find((one) => one.includes(words)) ?? '';
      const lines = block.trim().split('\n');
      t.ok(lines.length < 10, block);
      await run(lines.slice(0, -1).join('\n'), { SNAPSHOT_STORE: `file:${join(root, 'store')}` });
      return lines.at(-1);
    };
    t.equal(await follow(`--explain ${name} `), 'bura serve');
    // The test above checks the rows of these files in a running service.
    if (name === 'coast') return;
    const service = await startService(t, { root });
    await service.waitForLog('activated');
    t.match(await service.waitForLog('pages use default statements'), {
      name: /snapshot/,
      law: /Serbian/,
      clock: 'Europe/Belgrade',
      set_by: /TIME_ZONE/,
    });
    t.ok(FROM_YOUR_EXPORT.includes('"msg":"pages use default statements"'));
    t.match(await follow('operator.json'), /^TEXTS_DIR=\S+ TIME_ZONE=\S+ .*bura serve$/);
    const stations = (await getJson(service, '/api/v1/stations')).body as readonly unknown[];
    t.equal(stations.length, new Set(readings.map(({ station }) => station)).size);
    const rows = await get(service, '/api/v1/observations.csv');
    t.equal(Number(rows.headers['x-record-count']), readings.length, 'hours without a value too');
    t.match((await get(service, '/')).body.toString(), 'Peñafiel');
  });
}
