/**
 * Records the examples of the OpenAPI document: asks a service with the demonstration data for every operation, with the
 * example values of its parameters, and keeps the first records of each answer.
 *
 * `npm run examples` builds, records and writes `src/http/routing/openapi/examples.json`; the next build puts them into
 * the document.
 */
import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DOCUMENTED_ENDPOINTS } from '../dist/http/routes/routes.js';
import { BASE_URL_PLACEHOLDER } from '../dist/views/base-url.js';

const FILE = 'src/http/routing/openapi/examples.json';

/** Records that a list in an example has at most, and lines that a text has. */
const RECORDS_MAX = 2;
const LINES_MAX = 3;

/** Requests whose header fields are examples, by their names in `documented-headers.ts`. */
const HEADER_REQUESTS = [
  { target: '/meta', names: ['ETag', 'X-Snapshot-Id'] },
  {
    target:
      '/api/v1/observations/stream?station_id=28005002&parameter_code=NO2&from=2026-02-08T22:00Z',
    names: ['X-Record-Count', 'Content-Disposition'],
  },
  {
    target: '/api/v1/bulk/stations.csv',
    range: 'bytes=0-99',
    names: ['ETag of a file', 'Content-Range', 'X-Content-SHA256', 'Repr-Digest'],
  },
  {
    target: '/api/v1/bulk/stations.csv',
    range: 'bytes=99999999-',
    names: ['Content-Range of a refusal'],
  },
];

const directory = await mkdtemp(join(tmpdir(), 'bura-examples-'));
const service = spawn(process.execPath, ['dist/cli.js', 'serve', '--demo'], {
  env: {
    ...process.env,
    HOST: '127.0.0.1',
    PORT: '0',
    SNAPSHOT_STORE: `file:${join(directory, 'store')}`,
    LOCAL_DIR: join(directory, 'local'),
    // What a service says that has no texts of its own: a folder without any.
    TEXTS_DIR: await mkdtemp(join(directory, 'texts-')),
  },
  stdio: ['ignore', 'pipe', 'inherit'],
});
try {
  const baseUrl = await activated(service);
  const examples = { answers: await answers(baseUrl), headers: await headers(baseUrl) };
  const text = JSON.stringify(examples, undefined, 2).replaceAll(baseUrl, BASE_URL_PLACEHOLDER);
  await writeFile(FILE, `${text}\n`);
} finally {
  const ended = new Promise((resolve) => service.once('exit', resolve));
  service.kill('SIGTERM');
  await ended;
  await rm(directory, { recursive: true });
}

/** The service's base URL, once it answers from the snapshot. */
async function activated({ stdout }) {
  let baseUrl;
  for await (const line of createInterface({ input: stdout })) {
    baseUrl ??= /^bura listening on (\S+)$/.exec(line)?.[1];
    if (line.includes('"activated"')) {
      stdout.resume();
      return baseUrl;
    }
  }
  throw new Error('the service ended before it served the demonstration');
}

async function answers(baseUrl) {
  const found = {};
  for (const { path, parameters, operation } of DOCUMENTED_ENDPOINTS) {
    for (const { mediaType, example } of operation.content) {
      if (example === undefined) continue;
      const values = exampleValues(parameters, example === true ? {} : example);
      const response = await fetch(baseUrl + targetOf(path, parameters, values));
      if (response.status !== 200) throw new Error(`${response.url}: ${response.status}`);
      const text = await response.text();
      const value = /json$/.test(mediaType.replace('x-ndjson', ''))
        ? shortened(JSON.parse(text))
        : firstLines(text);
      (found[operation.id] ??= {})[mediaType] = value;
    }
  }
  return found;
}

async function headers(baseUrl) {
  const found = {};
  for (const { target, range, names } of HEADER_REQUESTS) {
    const response = await fetch(baseUrl + target, range ? { headers: { Range: range } } : {});
    for (const name of names) {
      const value = response.headers.get(name.split(' ')[0]);
      if (value === null) throw new Error(`${target} has no ${name}`);
      // The build's part of a tag is another one with every change of the sources.
      const text = name === 'ETag' ? value.replace(/-[0-9a-f]{8}"$/, '-0123abcd"') : value;
      found[name] = name === 'X-Record-Count' ? Number(text) : text;
    }
  }
  return found;
}

function exampleValues(parameters, more) {
  const own = Object.entries(parameters).flatMap(([name, { example }]) =>
    example === undefined ? [] : [[name, String(example)]],
  );
  return { ...Object.fromEntries(own), ...more };
}

function targetOf(path, parameters, values) {
  const query = new URLSearchParams();
  let target = path;
  for (const [name, value] of Object.entries(values)) {
    if (parameters[name]?.in === 'query') query.set(name, value);
    else target = target.replace(`{${name}}`, encodeURIComponent(value));
  }
  return query.size > 0 ? `${target}?${query}` : target;
}

/** The same with every list of objects cut. */
function shortened(value) {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const isOfObjects = value.some((item) => typeof item === 'object');
    return (isOfObjects ? value.slice(0, RECORDS_MAX) : value).map(shortened);
  }
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, shortened(one)]));
}

function firstLines(text) {
  return (text.match(/[^\n]*\n/g) ?? []).slice(0, LINES_MAX).join('');
}
