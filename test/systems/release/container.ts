/** The images of `deploy/Containerfile`, by buildah, on the Debian and Node of `tools/release/bare-root.sh`. */
import { once } from 'node:events';
import { chmod, chown, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import t, { type Test } from 'tap';
import { spawnPlain } from '../../support/service/plain-node.js';
import { holdPort } from '../../support/service/ports.js';
import { BARE_ROOT, IN_ROOT, npmEnvironment, run } from '../support/programs.js';
import { publishExport, publishingCommands, writeExport } from '../support/release/publishing.js';

const BASE_IMAGE = 'docker.io/library/node:22-trixie-slim';
const BASE_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
const VOLUME = '/var/lib/bura';
const scratch = await mkdtemp(join(tmpdir(), 'bura-images-'));
await chmod(scratch, 0o755);

async function buildah(...words: readonly string[]): Promise<string> {
  const storage = ['--root', join(scratch, 'storage'), '--runroot', join(scratch, 'run')];
  return (await run('buildah', [...storage, ...words])).stdout.trim();
}

// Not the folder of `t.testdir`, which would be removed while it holds mounts.
t.teardown(async () => {
  await buildah('rm', '--all');
  await rm(scratch, { recursive: true, force: true });
});

async function makeBaseImage(): Promise<void> {
  const base = await buildah('from', 'scratch');
  const root = await buildah('mount', base);
  // Their contents: `join` would leave the dots out.
  await run('cp', ['-a', `${BARE_ROOT}/debian/.`, `${BARE_ROOT}/node/.`, root]);
  await buildah('config', '--env', `PATH=${BASE_PATH}`, base);
  await buildah('commit', '--rm', base, BASE_IMAGE);
}

/** Builds one of the images, with the npm registry, certificates and cache of this machine. */
async function makeImage(name: string, ...target: readonly string[]): Promise<void> {
  const npm = await npmEnvironment();
  const authorities = npm['npm_config_cafile'];
  const settings = join(scratch, 'npmrc');
  const lines = [`registry=${npm['npm_config_registry'] ?? ''}`, `cafile=${authorities ?? ''}`];
  await writeFile(settings, lines.slice(0, authorities === undefined ? 1 : 2).join('\n'));
  const mounts = [
    `${settings}:/root/.npmrc:ro`,
    `${npm['HOME'] ?? ''}/.npm:/root/.npm`,
    ...(authorities === undefined ? [] : [`${authorities}:${authorities}:ro`]),
  ];
  await buildah(
    ...['build', '--isolation', 'chroot', '--network', 'host', '--format', 'docker', '--layers'],
    ...['--pull-never', '--file', 'deploy/Containerfile', '--tag', name, ...target],
    ...mounts.flatMap((mount) => ['--volume', mount]),
    '.',
  );
}

await makeBaseImage();
await makeImage('bura');
await makeImage('publisher', '--target', 'publisher');

interface Config {
  readonly User: string;
  readonly Env: readonly string[];
  readonly Entrypoint: readonly string[];
  readonly Cmd: readonly string[];
  readonly Volumes: Readonly<Record<string, unknown>>;
  readonly ExposedPorts: Readonly<Record<string, unknown>>;
  readonly Healthcheck?: { readonly Test: readonly string[] };
}

/** A container with a new volume, whose owner is that of the image's folder, as with an engine. */
async function newSandbox(t: Test, image: string) {
  const container = await buildah('from', '--pull-never', image);
  const root = await buildah('mount', container);
  const inspected = JSON.parse(await buildah('inspect', container)) as {
    readonly Docker: { readonly config: Config };
  };
  const { config } = inspected.Docker;
  const volume = join(scratch, `volume-${container}`);
  const { uid, gid } = await stat(join(root, VOLUME));
  await mkdir(volume);
  await chown(volume, uid, gid);
  const port = await holdPort(t);
  const env = {
    ...Object.fromEntries(
      config.Env.map((one) => [one.split('=', 1)[0] ?? '', one.replace(/^\w+=/, '')]),
    ),
    PORT: String(port),
    HOST: '127.0.0.1',
    HOME: '/home/node',
    READ_ONLY: '1',
    VOLUME: `${volume}:${VOLUME}`,
    AS: config.User,
  };
  let commands = 0;
  const command = (words: readonly string[]) => {
    const changes = join(scratch, `changes-${container}-${(commands += 1)}`);
    return [IN_ROOT, [root, changes, ...words], { env }] as const;
  };
  return { config, port, volume, command };
}

void t.test('an image serves on a read-only root as an ordinary user', async (t) => {
  const { config, port, command } = await newSandbox(t, 'bura');
  t.equal(config.User, '1000:1000');
  t.strictSame(Object.keys(config.Volumes), [VOLUME]);
  t.strictSame(Object.keys(config.ExposedPorts), ['8080/tcp']);
  t.strictSame(config.Cmd, ['serve']);
  const readOnly = /Read-only file system/;
  await t.rejects(run(...command(['touch', '/opt/bura/new'])), readOnly, 'the root is read-only');
  const { stdout } = await run(...command(['sh', '-c', 'id -u; grep CapEff /proc/self/status']));
  t.match(stdout, /^1000\nCapEff:\s+0{16}\n$/, 'an ordinary user without any rights');
  const [program, parameters, { env }] = command([...config.Entrypoint, 'serve', '--demo']);
  const stdio = ['ignore', 'pipe', 'inherit'] as const;
  const service = spawnPlain([program, ...parameters], env, { stdio: [...stdio] });
  t.teardown(() => service.kill('SIGKILL'));
  const ended = once(service, 'exit');
  for await (const line of createInterface({ input: service.stdout as Readable })) {
    if (line.includes('"msg":"activated"')) break;
  }
  service.stdout?.resume();
  const ready = await fetch(`http://127.0.0.1:${port}/health/ready`);
  t.equal(ready.status, 200, await ready.text());
  const [, ...health] = config.Healthcheck?.Test ?? [];
  await t.resolves(run(...command(health)), 'the health check says so');
  service.kill('SIGTERM');
  t.strictSame(await ended, [0, null], 'it drains');
  await t.rejects(run(...command(health)), 'the health check says that too');
});

void t.test('the image of publishers reads exports and makes an archive', async (t) => {
  const { config, volume, command } = await newSandbox(t, 'publisher');
  t.equal(config.User, '1000:1000');
  const from = join(volume, 'from');
  await writeExport(from);
  const before = await readdir(from);
  const commands = publishingCommands(join(VOLUME, 'from'), VOLUME);
  await publishExport(t, commands, async (words) => {
    return (await run(...command([...config.Entrypoint, ...words]))).stdout;
  });
  t.strictSame(await readdir(from), before, 'nothing beside the export');
  t.strictSame((await readdir(volume)).sort(), ['from', 'snapshot.json.gz', 'store']);
  const without = await newSandbox(t, 'bura');
  await writeExport(join(without.volume, 'from'));
  const refused = run(...without.command(['bura', ...(commands[0] ?? [])]));
  await t.rejects(refused, /DuckDB, which is not installed: .* @duckdb\/node-api@\d/);
});
