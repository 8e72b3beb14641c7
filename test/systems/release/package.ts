/** The result of `npm pack`, installed by npm 10 and 11: no warning, the very packages that were tested, and it serves. */
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import t from 'tap';
import { spawnPlain } from '../../support/service/plain-node.js';
import { npmEnvironment, run } from '../support/programs.js';

const NPM = ['10.9.9', '11.21.2'];
const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };
const PACKAGE = resolve('out', `bura-${version}.tgz`);

const ALLOWED =
  /^(?:package\.json|CHANGELOG\.md|LICENSE|README\.md|data\/demo\/.+|(?:deploy|dist|docs|man)\/(?!.*\.(?:map|ts|orig|tsbuildinfo)$).+|node_modules\/.+)$/;

interface Listing {
  readonly version?: string;
  readonly dependencies?: Readonly<Record<string, Listing>>;
  readonly problems?: readonly string[];
}

function packagesOf(listing: Listing): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = ({ dependencies = {} }: Listing): void => {
    for (const [name, one] of Object.entries(dependencies)) {
      if (one.version !== undefined) found.add(`${name}@${one.version}`);
      visit(one);
    }
  };
  visit(listing);
  return found;
}

async function list(folder: string, ...flags: readonly string[]): Promise<Listing> {
  const env = await npmEnvironment();
  const parameters = ['ls', '--all', '--json', '--prefix', folder, ...flags];
  return JSON.parse((await run('npm', parameters, { env })).stdout) as Listing;
}

void t.test('has what it needs and nothing else', async (t) => {
  const { stdout } = await run('tar', ['-tzf', PACKAGE]);
  const paths = stdout.trimEnd().replace(/^package\//gm, '');
  // Binaries are those of the system that it is installed on.
  const others = paths.split('\n').filter((path) => !ALLOWED.test(path) || path.endsWith('.node'));
  t.strictSame(others, []);
  t.notOk(existsSync('package.json.orig'), 'the checkout is as it was');
});

/** A worker of the installed service makes a workbook with exceljs, which `overrides` is mostly about. */
const EXPORT =
  '/portal/export?organization_id=1&station_id=28005002&component_id=8&window=7d&format=xlsx';

/** Left out of the package, because they run a script when they are installed: msgpackr does without. */
const DECLINED = /^(?:msgpackr-extract|@msgpackr-extract\/.*)@/;

t.jobs = 2;

for (const npm of NPM) {
  void t.test(`npm ${npm} installs it as it was tested`, async (t) => {
    // Outside of the checkout: npm would take a folder above for the project.
    const scratch = await mkdtemp(join(tmpdir(), 'bura-package-'));
    t.teardown(() => rm(scratch, { recursive: true, force: true }));
    const folder = join(scratch, 'empty');
    await mkdir(folder);
    const env = await npmEnvironment();
    const own = join(scratch, 'client');
    await run('npm', ['install', '--prefix', own, '--no-save', `npm@${npm}`], { env });
    const client = join(own, 'node_modules/npm/bin/npm-cli.js');
    const install = async (...what: readonly string[]) => {
      const said = await run(process.execPath, [client, 'install', ...what], { env, cwd: folder });
      t.equal(said.stderr, '', 'nothing to warn of');
    };
    await install(PACKAGE);
    const installed = await list(folder);
    const tested = await list('.', '--omit=dev');
    t.strictSame(installed.problems ?? [], []);
    const found = [...packagesOf(installed)].filter((one) => !one.startsWith('bura@'));
    const known = [...packagesOf(tested)].filter((one) => !DECLINED.test(one));
    t.strictSame(found.toSorted(), known.toSorted());
    await install();
    // npm 10 adds packages for another C library to its own lock.
    const again = [...packagesOf(await list(folder))].filter((one) => !one.includes('-musl@'));
    t.strictSame(again.toSorted(), [...packagesOf(installed)].toSorted(), 'npm is content with it');
    t.notOk(existsSync(join(folder, 'node_modules/glob')));
    const command = join(folder, 'node_modules/.bin/bura');
    const service = spawnPlain(
      [command, 'serve', '--demo', '--port', '0'],
      { PATH: process.env['PATH'] ?? '' },
      { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] },
    );
    t.teardown(() => service.kill('SIGKILL'));
    const ended = once(service, 'exit');
    const stderr = text(service.stderr as Readable);
    let url = '';
    for await (const line of createInterface({ input: service.stdout as Readable })) {
      url ||= /^bura listening on (http:\S+)/.exec(line)?.[1] ?? '';
      if (line.includes('"msg":"activated"')) break;
    }
    const meta: unknown = await (await fetch(`${url}/meta`)).json();
    t.match(meta, { counts: { measurement_rows: Number } });
    const workbook = await fetch(`${url}${EXPORT}`);
    t.equal(workbook.status, 200);
    t.match(Buffer.from(await workbook.arrayBuffer()).toString('latin1', 0, 2), 'PK');
    service.kill('SIGTERM');
    await ended;
    t.strictSame([service.exitCode, await stderr], [0, '']);
  });
}
