/**
 * The Containerfile without a container engine: its steps run in order in a bare Debian, and the result serves on a
 * read-only root as an ordinary user. A Debian 13 with Node and npm from the npm registry replaces the base image.
 */
import { once } from 'node:events';
import { chmod, chown, mkdir, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import t, { type Test } from 'tap';
import { spawnPlain } from '../../support/service/plain-node.js';
import { holdPort } from '../../support/service/ports.js';
import { parseContainerfile } from '../support/release/containerfile.js';
import { buildImages, type Image } from '../support/release/image-build.js';
import { BARE_ROOT, IN_ROOT, npmEnvironment, run } from '../support/release/programs.js';
import { publishingCommands, ROWS, writeExport } from '../support/release/publishing.js';

/** Settings of the image that FROM names. */
const BASE = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  HOME: '/root',
};

const scratch = t.testdir();
const npm = await npmEnvironment();
const steps: string[] = [];
const images = await buildImages('deploy/Containerfile', {
  base: {
    image: 'docker.io/library/node:22-trixie-slim',
    layers: [join(BARE_ROOT, 'node'), join(BARE_ROOT, 'debian')],
    environment: { ...npm, ...BASE, CA_FILE: npm['npm_config_cafile'] ?? '' },
  },
  context: process.cwd(),
  scratch,
  onStep: (step) => steps.push(step),
});

function imageOf(name?: string): Image {
  const image = name === undefined ? [...images.values()].at(-1) : images.get(name);
  if (image === undefined) throw new Error(`no stage ${name ?? ''}`);
  return image;
}

void t.test('an image serves on a read-only root as an ordinary user', async (t) => {
  const image = imageOf();
  const all = parseContainerfile(await readFile('deploy/Containerfile', 'utf8'));
  t.equal(steps.length, all.length, 'every step was carried out');
  t.notMatch(image.user, /^(?:0|root)\b/);
  t.strictSame(image.volumes, ['/var/lib/bura']);
  t.strictSame(image.ports, ['8080']);
  t.strictSame(image.command, ['serve']);

  const sandbox = await newSandbox(t, image, 'serving');
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

void t.test('the image of publishers reads exports and makes an archive', async (t) => {
  const image = imageOf('publisher');
  t.notMatch(image.user, /^(?:0|root)\b/);
  const sandbox = await newSandbox(t, image, 'publishing');
  const [volume = ''] = image.volumes;
  const from = join(sandbox.volume, 'from');
  await writeExport(from);
  const before = await readdir(from);
  const said: string[] = [];
  for (const words of publishingCommands({ from: join(volume, 'from'), work: volume })) {
    const { stdout } = await run(...sandbox.command([...image.entrypoint, ...words]));
    said.push(stdout);
  }
  t.match(said.join(''), new RegExp(`exported: archived \\(${ROWS} rows in \\d+ files`));
  t.strictSame(await readdir(from), before, 'nothing beside the export');
  t.strictSame((await readdir(sandbox.volume)).sort(), ['from', 'snapshot.json.gz', 'store']);

  const serving = await newSandbox(t, imageOf(), 'without');
  await writeExport(join(serving.volume, 'from'));
  const [build = []] = publishingCommands({ from: join(volume, 'from'), work: volume });
  await t.rejects(run(...serving.command(['bura', ...build])), {
    message: /DuckDB, which is not installed: .* @duckdb\/node-api@\d/,
  });
});

interface Sandbox {
  readonly port: number;
  /** Where the volume lies outside. */
  readonly volume: string;
  readonly command: (
    words: readonly string[],
  ) => readonly [string, readonly string[], { readonly env: Readonly<Record<string, string>> }];
}

/** The volume begins with the owner that the image's folder has, as a new one of an engine does. */
async function newSandbox(t: Test, image: Image, name: string): Promise<Sandbox> {
  const volume = join(scratch, `volume-${name}`);
  const [path = ''] = image.volumes;
  const { uid, gid } = await stat(join(scratch, 'stage-service/upper', path));
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
    volume,
    command: (words) => {
      commands += 1;
      const changes = join(scratch, `running-${name}-${commands}`);
      return [IN_ROOT, [image.layers.join(':'), changes, ...words], { env }];
    },
  };
}
