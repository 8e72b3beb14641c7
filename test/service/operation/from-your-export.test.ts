/** `docs/from-your-export.md`, followed line by line: its commands are run as they stand there, on the files that it describes. */
import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';
import { AGENCIES } from '../../support/documents/agencies.js';
import { COMMAND } from '../../support/service/command.js';
import { get } from '../../support/service/requests.js';
import { makeRoot, startService } from '../../support/service/service.js';

const text = await readFile('docs/from-your-export.md', 'utf8');

/** The lines of the only shell block that names a folder. */
function commandsOf(folder: string): readonly string[] {
  const blocks = [...text.matchAll(/```sh\n([^]*?)```/g)].map(([, block = '']) => block);
  const block = blocks.find((one) => one.includes(`--explain ${folder} `)) ?? '';
  return block.trim().split('\n');
}

for (const agency of AGENCIES) {
  void t.test(`the folder ${agency.name}`, async (t) => {
    const root = await makeRoot(t);
    const { files, readings } = await agency.write(Date.UTC(2025, 9, 24, 22), 49);
    await mkdir(join(root, agency.name));
    for (const [name, bytes] of files) await writeFile(join(root, agency.name, name), bytes);
    const shown = [...text.matchAll(/```csv\n([^]*?)```/g)].map(([, block = '']) => block.trim());
    const written = await Promise.all(
      [...files].map(async ([name]) => await readFile(join(root, agency.name, name))),
    );
    const decoder = new TextDecoder(agency.encoding);
    const texts = written.map((bytes) => decoder.decode(bytes).replaceAll('\r', ''));
    const own = shown.filter((block) => texts.some((one) => one.startsWith(block)));
    t.equal(own.length, agency.name === 'coast' ? 2 : 1, 'the files are as the page shows them');
    const commands = commandsOf(agency.name);
    t.ok(commands.length < 10 && commands.at(-1) === 'bura serve', commands.join('; '));
    // The words that `makeRoot` has for a service of the root.
    const env = { PATH: process.env['PATH'] ?? '', SNAPSHOT_STORE: `file:${join(root, 'store')}` };
    for (const command of commands.slice(0, -1)) {
      const line = command.replace('bura', `"${process.execPath}" "${COMMAND}"`);
      await promisify(execFile)('sh', ['-c', line], { cwd: root, env });
    }
    const service = await startService(t, { root });
    await service.waitForLog('activated');
    const stations = await get(service, '/api/v1/stations');
    const codes = new Set(readings.map(({ station }) => station));
    t.equal((JSON.parse(stations.body.toString()) as unknown[]).length, codes.size);
    const rows = await get(service, '/api/v1/observations.csv');
    const values = readings.filter(({ value }) => value !== undefined);
    t.equal(Number(rows.headers['x-record-count']), values.length);
    const page = await get(service, '/');
    for (const name of agency.name === 'coast' ? ['Zadar-Višnjik'] : ['Peñafiel']) {
      t.match(page.body.toString(), name);
    }
  });
}
