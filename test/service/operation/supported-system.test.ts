/** Where the service cannot run: one line that says so, exit code 2, and nothing loaded of what could not be. */
import { once } from 'node:events';
import { copyFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import t from 'tap';
import { spawnPlain } from '../../support/service/plain-node.js';

const folder = t.testdir({ 'package.json': '{ "type": "module" }' });
for (const name of ['cli.js', 'supported-system.js']) {
  await copyFile(`build/src/${name}`, join(folder, name));
}

/** Runs nothing but the entry and the check, as if on this release of Node and of glibc. */
async function runAlone(node: string, glibc?: string) {
  const pretence = `
    Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${node}' } });
    process.report.getReport = () => ({ header: ${JSON.stringify({ glibcVersionRuntime: glibc })} });`;
  const preload = `data:text/javascript,${encodeURIComponent(pretence)}`;
  const words = [process.execPath, '--import', preload, join(folder, 'cli.js'), '--version'];
  const child = spawnPlain(words, { PATH: process.env['PATH'] ?? '' });
  const [stdout, stderr] = await Promise.all([
    child.stdout && text(child.stdout),
    child.stderr && text(child.stderr),
    once(child, 'close'),
  ]);
  return { status: child.exitCode, stdout, stderr };
}

const USE = 'use 20 (from 20.19), 22 (from 22.13), 24 or 26';

void t.test('what is not supported gets one line and exit code 2', async (t) => {
  const olds = ['12.22.12', '20.18.3', '21.7.3', '22.12.0', '25.9.0'];
  const newer = 'use a newer system';
  const cases = [
    ...olds.map((node) => [node, '2.41', `${node} is not supported: ${USE}`] as const),
    ['20.19.0', '2.31', `20 needs glibc 2.34 or later, and here is 2.31: ${newer}`],
    [
      '24.0.0',
      '2.36',
      `24 needs glibc 2.38 or later, and here is 2.36: ${newer}, or Node 22, which needs 2.34`,
    ],
    ['22.13.0', undefined, `22 needs glibc 2.34 or later, and here is another C library: ${newer}`],
  ] as const;
  await Promise.all(
    cases.map(async ([node, glibc, line]) => {
      const result = await runAlone(node, glibc);
      t.strictSame(result, { status: 2, stdout: '', stderr: `bura: Node ${line}\n` });
    }),
  );
});

void t.test('every supported release goes on to the command', async (t) => {
  const { engines } = JSON.parse(await readFile('package.json', 'utf8')) as {
    engines: { node: string };
  };
  const first = engines.node.split(' || ').map((range) => range.replace('^', ''));
  t.strictSame(
    first.map((version) => version.split('.')[0]),
    ['20', '22', '24', '26'],
  );
  for (const version of first) {
    const { status, stderr } = await runAlone(version, '2.38');
    t.equal(status, 1, version);
    t.match(stderr, /ERR_MODULE_NOT_FOUND[^]*commands\/main\.js/);
  }
});
