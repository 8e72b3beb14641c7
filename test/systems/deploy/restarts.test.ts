/** `deploy/systemd`: two instances that share a port, restarted by the script, while clients with and without keep-alive ask. */
import { once } from 'node:events';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import t, { type Test } from 'tap';
import { snapshotDocument } from '../../support/documents/documents.js';
import { scaled } from '../../support/faults/chance.js';
import { COMMAND } from '../../support/service/command.js';
import { makeRoot, publish, refusedService } from '../../support/service/service.js';
import { ran } from '../support/programs.js';
import type { Outcome } from '../support/restarts/restarts.js';

const SCRIPT = resolve('deploy/systemd/bura-restart');
const SUPPORT = resolve('test/systems/support/restarts');
const RESTARTS = resolve('build/test/systems/support/restarts/restarts.js');

/** Folders as the unit names them, with a published snapshot; both instances are gone after the test. */
async function makeMachine(t: Test, port = 8080) {
  const root = await makeRoot(t);
  await publish({ root }, snapshotDocument());
  const programs = join(root, 'programs');
  for (const folder of ['etc/bura', 'var/lib/bura', 'programs']) {
    await mkdir(join(root, folder), { recursive: true });
  }
  await symlink(join(SUPPORT, 'systemctl'), join(programs, 'systemctl'));
  const bura = join(programs, 'bura');
  const command = `#!/bin/sh\nexec '${process.execPath}' '${COMMAND}' "$@"\n`;
  await writeFile(bura, command, { mode: 0o755 });
  const where = `HOST=127.0.0.1\nPORT=${port}\nBASE_MAP=${resolve('test/fixtures/small-map.json')}\n`;
  const settings = `SNAPSHOT_STORE=file:${root}/store\nKEY_PREFIX=demo\n${where}`;
  await writeFile(join(root, 'etc/bura/bura.env'), settings);
  const env = {
    PATH: `${programs}:/usr/sbin:/usr/bin:/sbin:/bin`,
    ROOT: root,
    COMMAND: bura,
    BURA_STATE: join(root, 'var/lib/bura'),
    KEY_PREFIX: 'demo',
  };
  const restart = (more: Record<string, string> = {}) => ran([SCRIPT], { ...env, ...more });
  const systemctl = (...words: readonly string[]) => ran(['systemctl', ...words], env);
  t.teardown(async () => {
    await Promise.all(['a', 'b'].map((name) => systemctl('stop', `bura@${name}`)));
  });
  return { root, env, restart, systemctl };
}

/** Restarts in a network of their own, with this value of `net.ipv4.tcp_migrate_req`. */
async function restartUnderLoad(t: Test, migrates: 0 | 1, restarts: number): Promise<Outcome> {
  const machine = await makeMachine(t);
  const inside = `ip link set lo up; sysctl -qw net.ipv4.tcp_migrate_req=${migrates}; exec "$@"`;
  const words = ['unshare', '--user', '--map-root-user', '--net', 'bash', '-ec', inside, 'inside'];
  const all = [...words, process.execPath, RESTARTS, String(restarts)];
  const { code, stdout, stderr } = await ran(all, machine.env);
  t.equal(code, 0, stderr);
  return JSON.parse(stdout) as Outcome;
}

void t.test('restarts fail no request where the kernel moves connections', async (t) => {
  const restarts = 2 * scaled(5);
  const { answered, failures, said } = await restartUnderLoad(t, 1, restarts);
  t.same(failures, [], `of ${answered + failures.length}`);
  t.ok(answered >= 3000 * restarts);
  const names = said.map((line) => /^bura@([ab]) serves: ready, /.exec(line)?.[1]);
  t.equal(names.join(''), `a${'ba'.repeat(restarts / 2)}`);
});

void t.test('without that setting they fail none on a kept connection', async (t) => {
  const { answered, failures } = await restartUnderLoad(t, 0, scaled(3));
  const onKept = failures.filter((line) => line.includes('on a kept'));
  t.same(onKept, []);
  t.comment(`${failures.length} of ${answered + failures.length} failed on new connections`);
});

void t.test('a new instance that is not ready is stopped, and the old one goes on', async (t) => {
  const machine = await makeMachine(t, 18_080);
  t.match(await machine.restart(), { code: 0, stdout: /^bura@a serves/, stderr: '' });
  // Another store, which is empty.
  await mkdir(join(machine.root, 'empty'));
  const own = join(machine.root, 'etc/bura/bura-b.env');
  await writeFile(own, `SNAPSHOT_STORE=file:${machine.root}/empty\n`);
  const late = await machine.restart({ READY_SECONDS: '3' });
  t.equal(late.code, 1);
  t.match(late.stderr, /^bura-restart: bura@b is not ready after 3 s \(.*\); bura@a goes on\n$/);
  await writeFile(own, 'KEY_PREFIX=../x\n');
  const ended = await machine.restart();
  t.match(ended, { code: 1, stderr: /^bura-restart: bura@b has ended; bura@a goes on\n$/ });
  t.equal((await machine.systemctl('is-active', 'bura@a')).code, 0);
  t.not((await machine.systemctl('is-active', 'bura@b')).code, 0);
  // An earlier run was killed when both ran.
  await writeFile(own, '');
  await machine.systemctl('start', 'bura@b');
  t.match(await machine.restart(), { code: 0, stdout: /^bura@b serves/ });
  t.not((await machine.systemctl('is-active', 'bura@a')).code, 0);
});

void t.test('a port that is not shared is one line', async (t) => {
  const root = await makeRoot(t);
  await publish({ root }, snapshotDocument());
  const foreign = createServer().listen(0, '127.0.0.1');
  await once(foreign, 'listening');
  t.teardown(() => foreign.close());
  const { port } = foreign.address() as AddressInfo;
  const env = { PORT: `${port}`, PORT_SHARED: 'on' };
  const taken = await refusedService(t, { root, env, expect: ['front died'] });
  t.match(taken, { code: 1, stderr: /^bura: cannot listen on [^\n]* does not share it\n$/ });
});

void t.test('its unit and its script are right', async (t) => {
  t.match(await ran(['shellcheck', SCRIPT, join(SUPPORT, 'systemctl')]), { code: 0 });
  const help = await ran([SCRIPT, '--help'], { PATH: '/usr/bin:/bin' });
  t.match(help, { code: 0, stdout: /^usage: bura-restart/ });
  t.match(await ran([SCRIPT, 'now'], { PATH: '/usr/bin:/bin' }), { code: 2 });
  const own = /^(Description|ExecStart|EnvironmentFile=-|#)/;
  const lines = async (file: string) =>
    (await readFile(file, 'utf8')).split('\n').filter((line) => line !== '' && !own.test(line));
  const single = await lines('deploy/systemd/bura.service');
  t.same(await lines('deploy/systemd/bura@.service'), single, 'it has the same hardening');
});
