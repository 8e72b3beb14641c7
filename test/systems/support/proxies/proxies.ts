/** The examples of `deploy/proxies/` in front of given instances; only addresses, ports and folders are replaced. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Test } from 'tap';
import { requireProgram } from '../../../../tools/system.mjs';
import { holdPort } from '../../../support/service/ports.js';
import { eventually } from '../../../support/service/service.js';
import { spawnPlain } from '../../../support/service/plain-node.js';
import { ask, SITE, type ProxyAddress } from './ask.js';

export const PROXIES = ['nginx', 'haproxy', 'caddy', 'varnish'] as const;
export type ProxyName = (typeof PROXIES)[number];

export interface Proxy extends ProxyAddress {
  readonly name: ProxyName;
  /** The program's output so far. */
  said(): string;
}

interface Place {
  readonly directory: string;
  readonly port: number;
  /** Port of the redirect to TLS, and of Varnish's second address. */
  readonly otherPort: number;
}

/** Texts of an example, each of which must exist, and their replacements. */
type Replacements = Readonly<Record<string, string>>;

interface Example {
  readonly file: string;
  replacements(place: Place): Replacements;
  /** The whole configuration; default: the text. */
  whole?(text: string, directory: string): string;
  /** The program and its arguments. */
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
      const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
        (name) => `${name}_temp_path ${directory}/${name};`,
      );
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

/**
 * Starts one of the examples in front of two instances; resolves when it answers.
 *
 * @param instances ports, which replace 192.0.2.11:8080 and 192.0.2.12:8080.
 */
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
  const text = replaced(written, {
    '192.0.2.11:8080': `127.0.0.1:${instances[0]}`,
    '192.0.2.12:8080': `127.0.0.1:${instances[1]}`,
    ...example.replacements(place),
  });
  await writeFile(config, example.whole?.(text, directory) ?? text);
  const certificate = name === 'varnish' ? undefined : await makeCertificate(directory);
  const said = run(t, example.words(config, place, text), directory);
  const proxy: Proxy = { name, port: place.port, certificate, said };
  await eventually(`${name} answers`, async () => {
    const answer = await ask(proxy, '/health/live').catch(() => undefined);
    return answer?.status === 200;
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

function replaced(text: string, replacements: Replacements): string {
  return Object.entries(replacements).reduce((result, [from, to]) => {
    if (!text.includes(from)) throw new Error(`the example has no ${JSON.stringify(from)}`);
    return result.replaceAll(from, to);
  }, text);
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
