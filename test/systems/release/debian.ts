/** The Debian package in a bare Debian 13: apt installs it, and systemd, process 1 of namespaces, runs its units. */
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, copyFile, mkdir, readdir, readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import t from 'tap';
import { spawnPlain } from '../../support/service/plain-node.js';
import { eventually } from '../../support/service/service.js';
import { BARE_ROOT, IN_ROOT, npmEnvironment, run } from '../support/programs.js';
import { publishExport, publishingCommands, writeExport } from '../support/release/publishing.js';

const OUT = resolve('out');
const LAYERS = join(BARE_ROOT, 'debian');
const ENVIRONMENT = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  DEBIAN_FRONTEND: 'noninteractive',
  HOME: '/root',
};

const [name = ''] = (await readdir(OUT)).filter((file) => file.endsWith('.deb'));
const scratch = t.testdir();

/** The root as the package has changed it. */
const changed = (path: string) => join(scratch, 'upper', path);

async function inRoot(...words: readonly string[]): Promise<string> {
  const { stdout } = await run(IN_ROOT, [LAYERS, scratch, ...words], { env: ENVIRONMENT });
  return stdout;
}

void t.test('lintian has no errors', async (t) => {
  const { stdout } = await run('lintian', ['--fail-on', 'error', '--no-cfg', join(OUT, name)]);
  t.notMatch(stdout, /^E:/m);
});

void t.test('apt installs it, with its user, its folder and its settings', async (t) => {
  await mkdir(changed('root'), { recursive: true });
  await copyFile(join(OUT, name), changed(`root/${name}`));
  await inRoot('apt-get', 'update', '-qq');
  await inRoot('apt-get', 'install', '-qq', '-y', '--no-install-recommends', `/root/${name}`);
  t.match(await inRoot('getent', 'passwd', 'bura'), /^bura:x:\d+:\d+:/);
  const owner = await inRoot('stat', '-c', '%U:%G %a', '/var/lib/bura', '/etc/bura/bura.env');
  t.equal(owner, 'bura:bura 750\nroot:bura 640\n');
  const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };
  t.equal((await inRoot('bura', '--version')).trim(), version);
  t.match(await inRoot('systemctl', 'is-enabled', 'bura.service'), 'enabled');
});

void t.test('with DuckDB its user reads exports and makes an archive', async (t) => {
  const work = changed('var/lib/bura/work');
  await mkdir(work);
  await chmod(work, 0o777);
  await writeExport(join(work, 'from'));
  const path = '/var/lib/bura/work';
  const commands = publishingCommands(`${path}/from`, path);
  const bura = async (...words: readonly string[]) => {
    const flags = words[0] === 'build' ? [] : ['--snapshot-store', `file:${path}/store`];
    const asUser = ['setpriv', '--reuid=bura', '--regid=bura', '--clear-groups'];
    return inRoot(...asUser, 'bura', ...words, ...flags);
  };
  const missing = await bura(...(commands[0] ?? [])).catch(String);
  const [, prefix = '', name = ''] =
    /: npm install --prefix (\S+) (@duckdb\/node-api@\d\S*)$/m.exec(missing) ?? [];
  t.equal(prefix, '/usr/lib/bura/node_modules/bura/duckdb');
  // By an npm outside: Debian's has some hundred packages.
  const env = await npmEnvironment();
  await run('npm', ['install', '--prefix', changed(prefix), '--no-audit', name], { env });
  await publishExport(t, commands, (words) => bura(...words));
  await inRoot('rm', '-r', path, prefix);
});

void t.test('its units are right and have a low exposure', async (t) => {
  const security = ['systemd-analyze', 'security', '--offline=true', '--threshold=20'];
  for (const name of ['bura', 'bura@a', 'bura-publish', 'bura-publish-failed']) {
    const unit = `${name}.service`;
    await t.resolves(inRoot('systemd-analyze', 'verify', '--man=no', unit), unit);
    t.match(await inRoot(...security, unit), /Overall exposure level[^:]*: [01]\.\d/, unit);
  }
});

void t.test('its units publish and serve under systemd', async (t) => {
  const boot = [resolve('tools/release/boot-root.sh'), LAYERS, scratch];
  const booted = spawnPlain(boot, ENVIRONMENT, { stdio: 'ignore' });
  const ended = once(booted, 'exit');
  t.teardown(async () => {
    booted.kill('SIGKILL');
    await ended;
  });
  const inside = async (...words: readonly string[]): Promise<string> => {
    const path = `/proc/${booted.pid}/task/${booted.pid}/children`;
    const [child = ''] = (await readFile(path, 'utf8')).split(' ');
    const enter = ['--target', child, '--all', '--', ...words];
    return (await run('nsenter', enter, { env: ENVIRONMENT })).stdout;
  };
  await untilDone(async () => inside('systemctl', 'is-active', 'bura.service'));
  const demonstration = '/usr/lib/bura/node_modules/bura/data/demo';
  await inside('cp', '-r', demonstration, '/var/lib/bura/tables');
  await inside('systemctl', 'start', 'bura-publish.service');
  await inside('systemctl', 'start', 'bura-publish-failed.service');
  await inside('journalctl', '--sync');
  t.match(await inside('journalctl', '--identifier=bura-publish'), 'not published');
  const ask = (path: string) =>
    inside(
      ...['node', '--input-type=module', '-e'],
      `const answer = await fetch('http://127.0.0.1:8080${path}');
      process.stdout.write(await answer.text());
      process.exitCode = answer.ok ? 0 : 1;`,
    );
  await untilDone(async () => ask('/health/ready'));
  t.match(await ask('/meta'), '"measurement_rows"');
  await inside('systemctl', 'restart', 'bura.service');
  await untilDone(async () => ask('/health/ready'));
  await inside('systemctl', 'stop', 'bura.service');
  const shown = await inside('systemctl', 'show', '--property=Result,ActiveState', 'bura.service');
  t.match(shown, 'Result=success\nActiveState=inactive');
  for (const name of ['a', 'b', 'a']) {
    t.match(await inside('bura-restart'), `bura@${name} serves: ready`);
    t.match(await ask('/health/ready'), '"status":"ok"');
  }
});

void t.test('what was published stays when it is removed', async (t) => {
  await inRoot('apt-get', 'purge', '-qq', '-y', 'bura');
  t.ok(existsSync(changed('var/lib/bura/store')));
  t.notOk(existsSync(changed('var/lib/bura/local')));
  t.notOk((await stat(changed('etc/bura/bura.env')).catch(() => undefined))?.isFile());
});

/** Resolves when it no longer fails. */
async function untilDone(attempt: () => Promise<unknown>): Promise<void> {
  const isDone = () => attempt().then(Boolean, () => false);
  await eventually('it no longer fails', isDone, 600_000);
}
