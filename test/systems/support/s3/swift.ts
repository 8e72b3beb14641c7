/**
 * A real S3 server: OpenStack Swift with its S3 interface, from Debian, in four processes on free ports. It verifies
 * signatures, and shows a public bucket at another address.
 */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Test } from 'tap';
import { PYTHON } from '../../../../tools/system.mjs';
import { holdPort } from '../../../support/service/ports.js';
import { get } from '../../../support/service/requests.js';
import { eventually } from '../../../support/service/service.js';
import { spawnPlain } from '../../../support/service/plain-node.js';

const execute = promisify(execFile);

const [ACCOUNT, USER, SECRET] = ['bura', 'publisher', 'secret'];
const BUCKET = 'open-data';
/** Four starts of Python with everything that OpenStack needs. */
const START_MS = 60_000;
const SERVERS = ['account', 'container', 'object'] as const;

/** The rings, which say where an account, a container or an object is. Here all of them have one device. */
const MAKE_RINGS = `
import sys
from swift.common.ring import RingBuilder
folder = sys.argv[1]
for name, port in zip(('account', 'container', 'object'), map(int, sys.argv[2:])):
    builder = RingBuilder(4, 1, 0)
    address = {'ip': '127.0.0.1', 'port': port}
    replication = {'replication_' + key: value for key, value in address.items()}
    builder.add_dev({'region': 1, 'zone': 1, 'device': 'disk', 'weight': 1, 'meta': '', **address, **replication})
    builder.rebalance()
    builder.get_ring().save('%s/%s.ring.gz' % (folder, name))
`;

/** Runs the program `swift-NAME-server` with another folder of configuration than /etc. */
const SERVE = `
import sys
from swift.common import utils
from swift.common.wsgi import run_wsgi
folder, name = sys.argv[1:]
utils.SWIFT_CONF_FILE = folder + '/swift.conf'
sys.exit(run_wsgi('%s/%s.conf' % (folder, name), name + '-server'))
`;

export interface Bucket {
  /** The bucket, as rclone names it. */
  readonly remote: string;
  /** Environment that rclone needs. */
  readonly env: Readonly<Record<string, string>>;
  /** The bucket's public address; ends in a slash. */
  readonly url: string;
}

/** Starts the server with one bucket, which is public to read. */
export async function startBucket(t: Test): Promise<Bucket> {
  const directory = await mkdtemp(join(tmpdir(), 'bura-s3-'));
  t.teardown(() => rm(directory, { recursive: true, force: true, maxRetries: 5 }));
  const ports = [await holdPort(t), await holdPort(t), await holdPort(t)];
  const port = await holdPort(t);
  await writeConfiguration(directory, ports, port);
  await execute(PYTHON, ['-c', MAKE_RINGS, directory, ...ports.map(String)]);
  for (const name of [...SERVERS, 'proxy']) startServer(t, directory, name);

  const env = {
    RCLONE_CONFIG: '/dev/null',
    RCLONE_CONFIG_S3_TYPE: 's3',
    RCLONE_CONFIG_S3_PROVIDER: 'Other',
    RCLONE_CONFIG_S3_ENDPOINT: `http://127.0.0.1:${port}`,
    RCLONE_CONFIG_S3_REGION: 'us-east-1',
    RCLONE_CONFIG_S3_ACCESS_KEY_ID: `${ACCOUNT}:${USER}`,
    RCLONE_CONFIG_S3_SECRET_ACCESS_KEY: SECRET,
    RCLONE_CONFIG_S3_ACL: 'public-read',
  };
  const remote = `s3:${BUCKET}`;
  const path = `/v1/AUTH_${ACCOUNT}/${BUCKET}/`;
  for (const one of [...ports, port]) await eventually('it listens', () => answers(one), START_MS);
  await execute('rclone', ['mkdir', remote], { env: { PATH: process.env['PATH'] ?? '', ...env } });
  return { remote, env, url: `http://127.0.0.1:${port}${path}` };
}

/** Whether a server answers, with any status: without a signature it refuses most requests. */
async function answers(port: number): Promise<boolean> {
  return (await get({ port }, '/').catch(() => undefined)) !== undefined;
}

async function writeConfiguration(
  directory: string,
  ports: readonly number[],
  port: number,
): Promise<void> {
  await mkdir(join(directory, 'devices', 'disk'), { recursive: true });
  const common = (own: number): string => `[DEFAULT]
bind_ip = 127.0.0.1
user = ${userInfo().username}
swift_dir = ${directory}
workers = 0
bind_port = ${own}
`;
  const used = (...filters: readonly string[]): string =>
    filters.map((name) => `[filter:${name}]\nuse = egg:swift#${name}\n`).join('');
  const files: Record<string, string> = {
    'swift.conf': `[swift-hash]
swift_hash_path_prefix = bura
swift_hash_path_suffix = test
[storage-policy:0]
name = one
default = yes
`,
    // No memory cache runs here: only tokens, which S3 does not have, would need it.
    'proxy.conf': `${common(port)}[pipeline:main]
pipeline = catch_errors memcache s3api tempauth slo dlo proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
${used('slo', 'dlo', 'catch_errors', 'tempauth')}user_${ACCOUNT}_${USER} = ${SECRET} .admin
${used('s3api')}location = us-east-1
${used('memcache')}memcache_servers = 127.0.0.1:9
`,
  };
  for (const [at, name] of SERVERS.entries()) {
    files[`${name}.conf`] = `${common(ports[at] ?? 0)}devices = ${directory}/devices
mount_check = false
[pipeline:main]
pipeline = ${name}-server
[app:${name}-server]
use = egg:swift#${name}
`;
  }
  for (const [name, text] of Object.entries(files)) await writeFile(join(directory, name), text);
}

function startServer(t: Test, directory: string, name: string): void {
  const words = [PYTHON, '-c', SERVE, directory, name];
  const environment = { PATH: process.env['PATH'] ?? '', HOME: directory };
  const child = spawnPlain(words, environment, { stdio: 'ignore' });
  const ended = new Promise((settle) => child.once('exit', settle));
  t.teardown(async () => {
    child.kill('SIGKILL');
    await ended;
  });
}
