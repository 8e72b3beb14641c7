/** `docs/from-your-export.md`, followed line by line: its commands are run as they stand there, on the files that it describes. */
import { execFile } from 'node:child_process';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';
import { AGENCIES } from '../../support/documents/agencies.js';
import { COMMAND } from '../../support/service/command.js';
import { get } from '../../support/service/requests.js';
import { makeRoot, startService } from '../../support/service/service.js';

const text = await readFile('docs/from-your-export.md', 'utf8');

/** The lines of the only shell block that has these words. */
function commandsWith(words: string): readonly string[] {
  const blocks = [...text.matchAll(/```sh\n([^]*?)```/g)].map(([, block = '']) => block);
  const block = blocks.find((one) => one.includes(words)) ?? '';
  return block.trim().split('\n');
}

for (const agency of AGENCIES) {
  void t.test(`the folder ${agency.name}`, async (t) => {
    const root = await makeRoot(t);
    const { files, readings } = await agency.write(Date.UTC(2025, 9, 24, 22), 49);
    await mkdir(join(root, agency.name));
    await symlink(resolve('docs'), join(root, 'docs'));
    for (const [name, bytes] of files) await writeFile(join(root, agency.name, name), bytes);
    const shown = [...text.matchAll(/```csv\n([^]*?)```/g)].map(([, block = '']) => block.trim());
    const written = await Promise.all(
      [...files].map(async ([name]) => await readFile(join(root, agency.name, name))),
    );
    const decoder = new TextDecoder(agency.encoding);
    const texts = written.map((bytes) => decoder.decode(bytes).replaceAll('\r', ''));
    const own = shown.filter((block) => texts.some((one) => one.startsWith(block)));
    t.equal(own.length, agency.name === 'coast' ? 2 : 1, 'the files are as the page shows them');
    const commands = commandsWith(`--explain ${agency.name} `);
    t.ok(commands.length < 10 && commands.at(-1) === 'bura serve', commands.join('; '));
    // The words that `makeRoot` has for a service of the root.
    const env = { PATH: process.env['PATH'] ?? '', SNAPSHOT_STORE: `file:${join(root, 'store')}` };
    const run = async (command: string): Promise<void> => {
      const line = command.replace(/^bura/, `"${process.execPath}" "${COMMAND}"`);
      await promisify(execFile)('sh', ['-c', line], { cwd: root, env });
    };
    for (const command of commands.slice(0, -1)) await run(command);
    // `first-service.test.ts` checks the rows of these files in a running service.
    if (agency.name === 'coast') return;
    const service = await startService(t, { root });
    await service.waitForLog('activated');
    const line = service.lines.find(({ msg }) => msg === 'pages use default statements');
    t.match(line, {
      name: /snapshot/,
      law: /Serbian/,
      clock: 'Europe/Belgrade',
      set_by: /TIME_ZONE/,
    });
    t.ok(text.includes('"msg":"pages use default statements"'));
    // The last commands of the page, up to the service that it starts.
    const ending = commandsWith('operator.json');
    t.match(ending.at(-1), /^TEXTS_DIR=\S+ TIME_ZONE=\S+ .*bura serve$/);
    for (const command of ending.slice(0, -1)) await run(command);
    const stations = await get(service, '/api/v1/stations');
    const codes = new Set(readings.map(({ station }) => station));
    t.equal((JSON.parse(stations.body.toString()) as unknown[]).length, codes.size);
    const rows = await get(service, '/api/v1/observations.csv');
    t.equal(Number(rows.headers['x-record-count']), readings.length, 'hours without a value too');
    const page = await get(service, '/');
    t.match(page.body.toString(), 'Peñafiel');
  });
}
