/** The examples of `deploy/proxies/` in front of given instances; only addresses, ports and folders are replaced. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import type { Test } from 'tap';
import { requireProgram } from '../../../../tools/system.mjs';
import { holdPort } from '../../../support/service/ports.js';
import { eventually } from '../../../support/service/service.js';
import { spawnPlain } from '../../../support/service/plain-node.js';
import { ask } from './ask.js';
import { makeCertificate } from './certificate.js';

export const PROXIES = ['nginx', 'haproxy', 'caddy', 'varnish'] as const;
export type ProxyName = (typeof PROXIES)[number];

export interface Proxy {
  readonly name: ProxyName;
  readonly port: number;
  /** Certificate that verifies the proxy's TLS; undefined without TLS. */
  readonly certificate: string | undefined;
  /** Port for the PROXY protocol, which only Varnish has. */
  readonly innerPort: number | undefined;
  /** The program's output so far. */
  said(): string;
}

/** Ports of the instances, which replace 192.0.2.11:8080 and 192.0.2.12:8080. */
type Instances = readonly [number, number];

interface Place {
  readonly directory: string;
  readonly port: number;
  /** Port of the redirect to TLS, and of Varnish's second address. */
  readonly otherPort: number;
}

interface Example {
  readonly file: string;
  readonly isSecure: boolean;
  /** Texts of the example, each of which must exist, and their replacements. */
  replacements(place: Place): Readonly<Record<string, string>>;
  /** Replacements for a proxy that compresses: texts of the example, each of which must exist. */
  readonly compressing: Readonly<Record<string, string>>;
  /** The program and its arguments. */
  words(config: string, place: Place, text: string): Promise<readonly string[]>;
}

const EXAMPLES: Readonly<Record<ProxyName, Example>> = {
  nginx: {
    file: 'nginx.conf',
    isSecure: true,
    replacements: ({ directory, port, otherPort }) => ({
      '/var/cache/nginx/bura': `${directory}/cache`,
      'listen 80;': `listen 127.0.0.1:${otherPort};`,
      'listen [::]:80;': `listen unix:${directory}/plain.sock;`,
      'listen 443 ssl': `listen 127.0.0.1:${port} ssl`,
      'listen [::]:443 ssl': `listen unix:${directory}/tls.sock ssl`,
    }),
    compressing: { 'gzip off;': 'gzip on; gzip_types *; gzip_proxied any; gzip_min_length 0;' },
    words: async (config, { directory }) => {
      const main = join(directory, 'main.conf');
      await writeFile(
        main,
        `${process.geteuid?.() === 0 ? `user ${userInfo().username};` : ''}
daemon off;
worker_processes 1;
error_log stderr;
pid ${directory}/nginx.pid;
events {}
http {
  access_log off;
${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `  ${name}_temp_path ${directory}/${name};`).join('\n')}
  include ${config};
}
`,
      );
      return [requireProgram(['nginx']), '-e', 'stderr', '-p', directory, '-c', main];
    },
  },
  haproxy: {
    file: 'haproxy.cfg',
    isSecure: true,
    replacements: ({ port, otherPort }) => ({
      'bind :80\n': `bind 127.0.0.1:${otherPort}\n`,
      'bind :443 ': `bind 127.0.0.1:${port} `,
    }),
    compressing: { '  balance leastconn\n': '  balance leastconn\n  compression algo gzip\n' },
    words: (config) => Promise.resolve([requireProgram(['haproxy']), '-db', '-f', config]),
  },
  caddy: {
    file: 'Caddyfile',
    isSecure: true,
    replacements: ({ port, otherPort }) => ({
      'http_port 80': `http_port ${otherPort}`,
      'https_port 443': `https_port ${port}\n\tdefault_bind 127.0.0.1`,
    }),
    // Caddy before 2.7 ignores `no-transform`.
    compressing: {
      '\theader Strict':
        '\t@compressible not path /api/v1/events\n' +
        '\tencode @compressible gzip {\n\t\tminimum_length 1\n\t}\n\theader Strict',
    },
    words: (config) =>
      Promise.resolve([
        requireProgram(['caddy']),
        'run',
        '--config',
        config,
        '--adapter',
        'caddyfile',
      ]),
  },
  varnish: {
    file: 'varnish.vcl',
    isSecure: false,
    replacements: () => ({}),
    compressing: {
      'http_gzip_support=off': 'http_gzip_support=on',
      '  set beresp.do_stream = true;':
        '  set beresp.do_stream = true;\n' +
        '  if (beresp.http.Cache-Control !~ "no-transform") { set beresp.do_gzip = true; }',
    },
    words: (config, { directory, port, otherPort }, text) => {
      const parameters = [...text.matchAll(/-p \w+=\w+/g)].flatMap(([words]) => words.split(' '));
      return Promise.resolve([
        requireProgram(['varnishd']),
        '-F',
        '-j',
        'none',
        '-n',
        join(directory, 'varnish'),
        '-a',
        `127.0.0.1:${port},HTTP`,
        '-a',
        `127.0.0.1:${otherPort},PROXY`,
        '-f',
        config,
        '-s',
        'malloc,64m',
        ...parameters,
      ]);
    },
  },
};

/**
 * Starts one of the examples in front of two instances; resolves when it answers.
 *
 * @param compresses whether the proxy compresses answers that instances do not.
 */
export async function startProxy(
  t: Test,
  name: ProxyName,
  instances: Instances,
  { compresses = false }: { readonly compresses?: boolean } = {},
): Promise<Proxy> {
  const example = EXAMPLES[name];
  const directory = await mkdtemp(join(tmpdir(), `bura-${name}-`));
  t.teardown(() => rm(directory, { recursive: true, force: true, maxRetries: 5 }));
  await mkdir(join(directory, 'varnish'));
  const place: Place = { directory, port: await holdPort(t), otherPort: await holdPort(t) };
  const certificate = example.isSecure ? await makeCertificate(directory) : undefined;
  const config = join(directory, example.file);
  const written = await readFile(join('deploy/proxies', example.file), 'utf8');
  const text = replaced(written, compresses ? example.compressing : {});
  await writeFile(
    config,
    replaced(text, {
      '192.0.2.11:8080': `127.0.0.1:${instances[0]}`,
      '192.0.2.12:8080': `127.0.0.1:${instances[1]}`,
      ...(example.isSecure ? { '/etc/bura/tls': directory } : {}),
      ...example.replacements(place),
    }),
  );
  const said = run(t, await example.words(config, place, text), directory);
  const innerPort = name === 'varnish' ? place.otherPort : undefined;
  const proxy: Proxy = { name, port: place.port, certificate, innerPort, said };
  await eventually(`${name} answers`, async () => {
    const answer = await ask(proxy, '/health/live').catch(() => undefined);
    return answer?.status === 200;
  });
  return proxy;
}

function replaced(text: string, replacements: Readonly<Record<string, string>>): string {
  return Object.entries(replacements).reduce((result, [from, to]) => {
    if (!text.includes(from)) throw new Error(`the example has no ${JSON.stringify(from)}`);
    return result.replaceAll(from, to);
  }, text);
}

/** Runs a program until the test ends, and reads its output; an early end fails the test. */
function run(t: Test, words: readonly string[], directory: string): () => string {
  const environment = { PATH: process.env['PATH'] ?? '', HOME: directory, TMPDIR: directory };
  const child = spawnPlain(words, environment, { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
  }
  let isOver = false;
  const ended = new Promise<void>((settle) => {
    child.once('exit', (code) => {
      if (!isOver) t.fail(`${words[0] ?? ''} ended with ${code}: ${said}`);
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
