/**
 * Mutation testing of a part of `src` by Stryker: changes one expression at a time, and lists the changes that no test notices.
 *
 *     npm run mutants -- PART [PART...]             by the unit tests of the part, each in a process of its own
 *     npm run mutants -- --through-service PART...  what the unit tests did not notice, by requests to a running service
 *
 * Stryker is not among the development packages, for its 176 packages: npm fetches the releases below when this runs. A report
 * for each part comes into `reports/mutation` (JSON of Stryker's mutation-testing report schema).
 */
import { spawnSync } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';

const PACKAGES = ['@stryker-mutator/core@9.6.1', '@stryker-mutator/tap-runner@9.6.1'];

/** Sources of each part, and its unit tests, if it has any. */
const PARTS = {
  semantics: { sources: ['src/http/semantics'], units: ['http/semantics/*.unit.js'] },
  routing: { sources: ['src/http/routing'] },
  domain: { sources: ['src/snapshot/domain'], units: ['snapshot/{domain,document}/**/*.unit.js'] },
  document: { sources: ['src/snapshot/document'], units: ['snapshot/document/**/*.unit.js'] },
  history: {
    sources: ['src/snapshot/history', 'src/views/history'],
    units: ['snapshot/history/*.unit.js', 'workers/jobs/*.unit.js'],
  },
  archive: { sources: ['src/snapshot/archive', 'src/publishing/archive'] },
  'fair-queue': { sources: ['src/workers/fair-queue.ts'], units: ['workers/job-queue.unit.js'] },
  publishing: {
    sources: ['src/publishing', '!src/publishing/archive'],
    units: ['{publishing,snapshot/document}/**/*.unit.js'],
  },
};

/** Tests that ask a running service, by part; random requests for the others. */
const SERVICE_TESTS = { archive: 'service/operation/served-archive.test.js' };
const REQUESTS = 'differential/some-requests.js';

const NODE_ARGUMENTS = ['--import=./build/test/support/without-async-hooks.js'];

const REPORTS = 'reports/mutation';

const { values, positionals: parts } = parseArgs({
  allowPositionals: true,
  options: { 'through-service': { type: 'boolean', default: false } },
});
const unknown = parts.find((part) => !(part in PARTS));
if (parts.length === 0 || unknown !== undefined) {
  process.stderr.write(
    `${unknown === undefined ? 'no part is named' : `no such part: ${unknown}`}; parts: ${Object.keys(PARTS).join(', ')}\n`,
  );
  process.exit(1);
}

await mkdir(REPORTS, { recursive: true });
for (const part of parts) {
  const config = `${REPORTS}/${part}-config.json`;
  await writeFile(config, JSON.stringify(await configurationOf(part), undefined, 2));
  const words = PACKAGES.flatMap((name) => ['--package', name]);
  const { status } = spawnSync('npm', ['exec', '--yes', ...words, '--', 'stryker', 'run', config], {
    stdio: 'inherit',
  });
  await rm(config);
  if (status !== 0) process.exit(status ?? 1);
}

async function configurationOf(part) {
  const { sources, units = [] } = PARTS[part];
  const isThroughService = values['through-service'] || units.length === 0;
  const names = isThroughService ? [SERVICE_TESTS[part] ?? REQUESTS] : units;
  const tests = names.map((one) => `build/test/${one}`);
  return {
    ...(isThroughService
      ? // The coverage of the test's own process does not tell which mutants the service has run.
        {
          testRunner: 'command',
          commandRunner: { command: `TAP_BAIL=1 node ${[...NODE_ARGUMENTS, ...tests].join(' ')}` },
        }
      : {
          testRunner: 'tap',
          coverageAnalysis: 'perTest',
          tap: {
            testFiles: tests,
            nodeArgs: [...NODE_ARGUMENTS, '-r', '{{hookFile}}', '{{testFile}}'],
          },
        }),
    concurrency: 2,
    // No such file: Stryker would rewrite paths in it, which nothing here reads.
    tsconfigFile: 'reports/tsconfig.json',
    // Stryker links the packages only after the build.
    buildCommand: 'node tools/build-mutants.mjs',
    mutate:
      isThroughService && units.length > 0
        ? await survivorsOf(part)
        : sources.map((one) => (one.endsWith('.ts') ? one : `${one}/**/*.ts`)),
    reporters: ['clear-text', 'json'],
    jsonReporter: {
      fileName: `${REPORTS}/${part}${isThroughService ? '-through-service' : ''}.json`,
    },
    ignorePatterns: ['build', 'dist', 'docs', 'reports', '.tap'],
    timeoutMS: 60_000,
  };
}

/** Places of the mutants that no unit test noticed. */
async function survivorsOf(part) {
  const { files } = JSON.parse(await readFile(`${REPORTS}/${part}.json`, 'utf8'));
  const at = ({ line, column }) => `${line}:${column}`;
  return Object.entries(files).flatMap(([file, { mutants }]) =>
    mutants
      .filter(({ status }) => status === 'Survived' || status === 'NoCoverage')
      .map(({ location }) => `${file}:${at(location.start)}-${at(location.end)}`),
  );
}
