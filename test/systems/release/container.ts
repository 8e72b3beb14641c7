/**
 * The Containerfile without a container engine: its steps run as they stand, in order, in a bare Debian, and what they
 * make serves on a read-only root as an ordinary user. For the base image stands a Debian 13 with Node and npm from the
 * npm registry.
 */
import { once } from 'node:events';
import { chmod, chown, mkdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import t, { type Test } from 'tap';
import { spawnPlain } from '../../support/service/plain-node.js';
import { holdPort } from '../../support/service/ports.js';
import { parseContainerfile } from '../support/release/containerfile.js';
import { buildImage, type Image } from '../support/release/image-build.js';
import { BARE_ROOT, IN_ROOT, npmEnvironment, run } from '../support/release/programs.js';

/** Of the image that FROM names. */
const BASE = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  HOME: '/root',
};

void t.test('an image serves on a read-only root as an ordinary user', async (t) => {
  const scratch = t.testdir();
  const npm = await npmEnvironment();
  const steps: string[] = [];
  const image = await buildImage('deploy/Containerfile', {
    base: {
      image: 'docker.io/library/node:22-trixie-slim',
      layers: [join(BARE_ROOT, 'node'), join(BARE_ROOT, 'debian')],
      environment: { ...npm, ...BASE, CA_FILE: npm['npm_config_cafile'] ?? '' },
    },
    context: process.cwd(),
    scratch,
    onStep: (step) => steps.push(step),
  });
  const all = parseContainerfile(await readFile('deploy/Containerfile', 'utf8'));
  t.equal(steps.length, all.length, 'every step was carried out');
  t.notMatch(image.user, /^(?:0|root)\b/);
  t.strictSame(image.volumes, ['/var/lib/bura']);
  t.strictSame(image.ports, ['8080']);
  t.strictSame(image.command, ['serve']);

  const sandbox = await newSandbox(t, image, scratch);
  await t.rejects(
    run(...sandbox.command(['touch', '/opt/bura/new'])),
    /Read-only file system/,
    'the root is read-only',
  );
  const { stdout: rights } = await run(
    ...sandbox.command(['sh', '-c', 'id -u; grep CapEff /proc/self/status']),
  );
  t.match(rights, /^1000\nCapEff:\s+0{16}\n$/, 'an ordinary user without any rights');

  const [program, parameters, { env }] = sandbox.command([...image.entrypoint, 'serve', '--demo']);
  const service = spawnPlain([program, ...parameters], env, {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.teardown(() => service.kill('SIGKILL'));
  const ended = once(service, 'exit');
  const lines = createInterface({ input: service.stdout as Readable });
  const activated = new Promise<boolean>((resolve) => {
    lines.on('line', (line) => {
      if (line.includes('"msg":"activated"')) resolve(true);
    });
    lines.on('close', () => {
      resolve(false);
    });
  });
  t.ok(await activated, 'the demonstration is served');
  const ready = await fetch(`http://127.0.0.1:${sandbox.port}/health/ready`);
  t.equal(ready.status, 200, await ready.text());
  await t.resolves(run(...sandbox.command(image.healthCheck)), 'the health check says so');
  service.kill('SIGTERM');
  t.strictSame(await ended, [0, null], 'it drains');
  await t.rejects(run(...sandbox.command(image.healthCheck)), 'the health check says that too');
});

interface Sandbox {
  readonly port: number;
  readonly command: (
    words: readonly string[],
  ) => readonly [string, readonly string[], { readonly env: Readonly<Record<string, string>> }];
}

/** The volume begins with the owner that the image's folder has, as a new one of an engine does. */
async function newSandbox(t: Test, image: Image, scratch: string): Promise<Sandbox> {
  const volume = join(scratch, 'volume');
  const [path = ''] = image.volumes;
  const { uid, gid } = await stat(join(image.layers[0] ?? '', path));
  await mkdir(volume);
  await chown(volume, uid, gid);
  await chmod(scratch, 0o755);
  const port = await holdPort(t);
  const env = {
    ...BASE,
    ...image.environment,
    PORT: String(port),
    HOST: '127.0.0.1',
    HOME: '/home/node',
    READ_ONLY: '1',
    VOLUME: `${volume}:${path}`,
    AS: image.user,
  };
  let commands = 0;
  return {
    port,
    command: (words) => {
      commands += 1;
      const changes = join(scratch, `running-${commands}`);
      return [IN_ROOT, [image.layers.join(':'), changes, ...words], { env }];
    },
  };
}
