/** The examples of `deploy/proxies/` before real instances, and requests through them; only addresses and folders differ. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { request as plainRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as secureRequest } from 'node:https';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Test } from 'tap';
import type { Received } from '../../../support/service/requests.js';
import type { PlainDocument } from '../../../support/documents/documents.js';
import {
  eventually,
  makeRoot,
  publish,
  startService,
  type Service,
} from '../../../support/service/service.js';
import { requireProgram } from '../../../../tools/system.mjs';
import { holdPort } from '../../../support/service/ports.js';
import { spawnPlain } from '../../../support/service/plain-node.js';

export const SITE = 'data.example.org';
export type ProxyAddress = Readonly<{ port: number; certificate: string | undefined }>;

export interface Asking {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly content?: string | undefined;
  /** Address of the client as the proxy sees it; default 127.0.0.1. */
  readonly from?: string;
  /** Called with the body so far; true ends the answer early. */
  readonly until?: (body: Buffer) => boolean;
}

/** An answer, and its fields as names and values in turn, also those that repeat. */
type Proxied = Received & Readonly<{ rawHeaders: readonly string[] }>;

/** Sends one request on its own connection. @throws {Error} when the connection fails, or ends early. */
export async function ask(
  { port, certificate }: ProxyAddress,
  path: string,
  { method = 'GET', headers = {}, content, from = '127.0.0.1', until }: Asking = {},
): Promise<Proxied> {
  const where = { host: '127.0.0.1', port, path, localAddress: from, agent: false };
  const options: RequestOptions = { ...where, method, headers: { host: SITE, ...headers } };
  return await new Promise((resolve, reject) => {
    const take = (response: IncomingMessage): void => {
      const { statusCode: status = 0, headers: fields, rawHeaders } = response;
      const chunks: Buffer[] = [];
      const settle = (): void => {
        resolve({ status, headers: fields, rawHeaders, body: Buffer.concat(chunks) });
      };
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        if (until?.(Buffer.concat(chunks)) !== true) return;
        settle();
        response.destroy();
      });
      response.once('error', reject);
      response.once('end', () => {
        if (!response.complete) reject(new Error('the answer was cut short'));
        settle();
      });
    };
    const sent =
      certificate === undefined
        ? plainRequest(options, take)
        : secureRequest({ ...options, ca: certificate, servername: SITE }, take);
    sent.setTimeout(15_000, () => sent.destroy(new Error(`no answer to ${path} in time`)));
    sent.once('error', reject);
    sent.end(content);
  });
}

/** Publishes a document, and waits until two instances serve it. */
export async function startInstances(
  t: Test,
  document: PlainDocument | AsyncIterable<Uint8Array>,
  expect: readonly string[] = [],
): Promise<readonly [Service, Service]> {
  const root = await makeRoot(t);
  await publish({ root }, document);
  return await Promise.all([
    startInstance(t, root, { name: 'first', expect }),
    startInstance(t, root, { name: 'second', expect }),
  ]);
}

/** Starts an instance on a free port, or again on the one that it had. */
export async function startInstance(
  t: Test,
  root: string,
  { name, port = 0, expect = [] }: { name: string; port?: number; expect?: readonly string[] },
): Promise<Service> {
  const settings = { TRUST_PROXY: '1', PUBLIC_BASE_URL: `https://${SITE}` };
  const own = { LOCAL_DIR: join(root, name), PORT: String(port), POINTER_POLL_SECONDS: '0.05' };
  const service = await startService(t, { root, env: { ...settings, ...own }, expect });
  await service.waitForLog('activated');
  return service;
}

export const PROXIES = ['nginx', 'haproxy', 'caddy', 'varnish'] as const;
export type ProxyName = (typeof PROXIES)[number];
export type Proxy = ProxyAddress & Readonly<{ name: ProxyName; said: () => string }>;
type Place = Readonly<{ directory: string; port: number; otherPort: number }>;

interface Example {
  readonly file: string;
  /** Replacements of texts, each of which must be there. */
  replacements(place: Place): Readonly<Record<string, string>>;
  whole?(text: string, directory: string): string;
  words(config: string, place: Place, text: string): readonly string[];
}

const EXAMPLES: Readonly<Record<ProxyName, Example>> = {
  nginx: {
    file: 'nginx.conf',
    replacements: ({ directory, port, otherPort }) => ({
      '/etc/bura/tls': directory,
      '/var/cache/nginx/bura': `${directory}/cache`,
      'listen 80;': `listen 127.0.0.1:${otherPort};`,
      'listen [::]:80;': `listen unix:${directory}/plain.sock;`,
      'listen 443 ssl': `listen 127.0.0.1:${port} ssl`,
      'listen [::]:443 ssl': `listen unix:${directory}/tls.sock ssl`,
    }),
    // The example is a part of the main file.
    whole: (text, directory) => {
      const user = process.geteuid?.() === 0 ? `user ${userInfo().username};` : '';
      const names = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
      const folders = names.map((name) => `${name}_temp_path ${directory}/${name};`);
      const main = `${user} daemon off; worker_processes 1; pid ${directory}/nginx.pid; events {}`;
      return `${main} http { access_log off; ${folders.join(' ')}\n${text} }`;
    },
    words: (config, { directory }) => ['nginx', '-e', 'stderr', '-p', directory, '-c', config],
  },
  haproxy: {
    file: 'haproxy.cfg',
    replacements: ({ directory, port, otherPort }) => ({
      '/etc/bura/tls': directory,
      'bind :80\n': `bind 127.0.0.1:${otherPort}\n`,
      'bind :443 ': `bind 127.0.0.1:${port} `,
    }),
    words: (config) => ['haproxy', '-db', '-f', config],
  },
  caddy: {
    file: 'Caddyfile',
    replacements: ({ directory, port, otherPort }) => ({
      '/etc/bura/tls': directory,
      'http_port 80': `http_port ${otherPort}`,
      'https_port 443': `https_port ${port}\n\tdefault_bind 127.0.0.1`,
    }),
    words: (config) => ['caddy', 'run', '--config', config, '--adapter', 'caddyfile'],
  },
  varnish: {
    file: 'varnish.vcl',
    replacements: () => ({}),
    words: (config, { directory, port, otherPort }, text) => [
      ...['varnishd', '-F', '-j', 'none', '-n', join(directory, 'varnish'), '-f', config],
      ...['-a', `127.0.0.1:${port},HTTP`, '-a', `127.0.0.1:${otherPort},PROXY`],
      ...['-s', 'malloc,64m'],
      ...[...text.matchAll(/-p \w+=\w+/g)].flatMap(([words]) => words.split(' ')),
    ],
  },
};

/** Starts an example in front of two instances: their ports replace 192.0.2.11:8080 and 192.0.2.12:8080. */
export async function startProxy(
  t: Test,
  name: ProxyName,
  instances: readonly [number, number],
): Promise<Proxy> {
  const example = EXAMPLES[name];
  const { file } = example;
  const directory = await mkdtemp(join(tmpdir(), `bura-${name}-`));
  t.teardown(() => rm(directory, { recursive: true, force: true, maxRetries: 5 }));
  await mkdir(join(directory, 'varnish'));
  const place: Place = { directory, port: await holdPort(t), otherPort: await holdPort(t) };
  const config = join(directory, file);
  const written = await readFile(join('deploy/proxies', file), 'utf8');
  const replacements = {
    '192.0.2.11:8080': `127.0.0.1:${instances[0]}`,
    '192.0.2.12:8080': `127.0.0.1:${instances[1]}`,
    ...example.replacements(place),
  };
  const text = Object.entries(replacements).reduce((result, [from, to]) => {
    if (!result.includes(from)) throw new Error(`the example has no ${JSON.stringify(from)}`);
    return result.replaceAll(from, to);
  }, written);
  await writeFile(config, example.whole?.(text, directory) ?? text);
  const certificate = name === 'varnish' ? undefined : await makeCertificate(directory);
  const said = run(t, example.words(config, place, text), directory);
  const proxy: Proxy = { name, port: place.port, certificate, said };
  await eventually(`${name} answers`, async () => {
    return (await ask(proxy, '/health/live').catch(() => undefined))?.status === 200;
  });
  return proxy;
}

/** Writes `fullchain.pem`, `privkey.pem` and both of them as `bundle.pem`; resolves with the certificate. */
async function makeCertificate(directory: string): Promise<string> {
  const [certificate, key] = [join(directory, 'fullchain.pem'), join(directory, 'privkey.pem')];
  const what = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2';
  const name = ['-subj', `/CN=${SITE}`, '-addext', `subjectAltName=DNS:${SITE}`];
  const words = [...what.split(' '), ...name, '-keyout', key, '-out', certificate];
  await promisify(execFile)(requireProgram(['openssl']), words);
  const text = await readFile(certificate, 'utf8');
  await writeFile(join(directory, 'bundle.pem'), `${text}${await readFile(key, 'utf8')}`);
  return text;
}

/** Runs a program until the test ends, and reads its output; an early end fails the test. */
function run(t: Test, [name = '', ...words]: readonly string[], directory: string): () => string {
  const environment = { PATH: process.env['PATH'] ?? '', HOME: directory, TMPDIR: directory };
  const program = requireProgram([name]);
  const child = spawnPlain([program, ...words], environment, { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
  }
  let isOver = false;
  const ended = new Promise<void>((settle) => {
    child.once('exit', (code) => {
      if (!isOver) t.fail(`${name} ended with ${code}: ${said}`);
      settle();
    });
  });
  t.teardown(async () => {
    isOver = true;
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), 5_000);
    await ended;
    clearTimeout(timer);
  });
  return () => said;
}
