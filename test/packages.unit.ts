/** Manifests and files of `deploy/`, read as text: packing, locks and deployment agree with each other. */
import { readFile } from 'node:fs/promises';
import t from 'tap';
import { runtimePackages } from '../tools/runtime-packages.mjs';

type Versions = Readonly<Record<string, string>>;

const read = async (file: string): Promise<string> => readFile(file, 'utf8');

const manifest = JSON.parse(await read('package.json')) as {
  readonly dependencies: Versions;
  readonly devDependencies: Versions;
  readonly peerDependencies: Versions;
  readonly peerDependenciesMeta: Readonly<Record<string, { readonly optional: boolean }>>;
  readonly scarfSettings: unknown;
};

interface Locked {
  readonly version?: string;
  readonly dev?: boolean;
}

void t.test('optional packages are those that were tested, in an exact version', (t) => {
  for (const [name, version] of Object.entries(manifest.peerDependencies)) {
    t.match(version, /^\d+\.\d+\.\d+(?:-[\w.]+)?$/, name);
    t.equal(version, manifest.devDependencies[name], name);
    t.strictSame(manifest.peerDependenciesMeta[name], { optional: true }, name);
  }
  t.end();
});

void t.test('no installation is reported, and scripts run only for the README', async (t) => {
  t.strictSame(manifest.scarfSettings, { enabled: false });
  const files = ['deploy/Containerfile', 'tools/test.Containerfile', '.ci/run'];
  for (const file of [...files, 'tools/release/debian.sh', 'tools/release/bare-root.sh']) {
    const commands = (await read(file)).match(/npm (?:ci|install)\b[^\n&]*/g) ?? [];
    t.not(commands.length, 0, file);
    t.strictSame(
      commands.filter((command) => !command.includes('--ignore-scripts')),
      [],
      file,
    );
  }
});

void t.test('a build is another one by its libraries, not by its tools', async (t) => {
  const { packages } = JSON.parse(await read('package-lock.json')) as {
    readonly packages: Readonly<Record<string, Locked>>;
  };
  const before = runtimePackages({ packages });
  const bumped = (name: string): readonly string[] => {
    const path = `node_modules/${name}`;
    t.hasProp(packages, path);
    return runtimePackages({
      packages: { ...packages, [path]: { ...packages[path], version: '99.0.0' } },
    });
  };
  for (const name of ['prettier', 'eslint', 'tap', 'typescript', '@duckdb/node-api']) {
    t.strictSame(bumped(name), before, name);
  }
  for (const name of Object.keys(manifest.dependencies)) t.notSame(bumped(name), before, name);
});

void t.test('alerts lead to their sections, by an address that a person can open', async (t) => {
  const runbook = await read('docs/operations/runbook.md');
  const sections = [...runbook.matchAll(/^#+ (Bura\w+)$/gm)].map(([, name = '']) => name);
  const alerts = await read('deploy/monitoring/alerts.yaml');
  const found = [...alerts.matchAll(/- alert: (\w+)[^]*?runbook_url: (\S+)$/gm)];
  t.same(new Set(found.map(([, name]) => name)), new Set(sections));
  for (const [, name = '', address = ''] of found) {
    t.equal(new URL(address).hash, `#${name.toLowerCase()}`);
  }
});

void t.test('docs/operations/scaling.md says what the report says', async (t) => {
  const rowsOf = async (file: string): Promise<readonly (readonly string[])[]> =>
    (await read(file))
      .split('\n')
      .filter((line) => line.startsWith('|'))
      .map((line) => line.split('|').map((cell) => cell.trim()));
  const report = await rowsOf('bench/report/report.md');
  const scaling = await rowsOf('docs/operations/scaling.md');
  const number = (cell = ''): number => Number(cell.replace(/,/g, ''));
  /** A cell of both by the title of its column, of the row that begins so. */
  const cell = (rows: typeof report, first: string, title: string): string => {
    const at = rows.findIndex((row) => row[1] === first);
    const titles = rows.slice(0, at).findLast((row) => row.includes(title));
    return rows[at]?.[titles?.indexOf(title) ?? -1] ?? '';
  };
  const answers: Readonly<Record<string, string>> = {
    '`/meta`': '/meta',
    '30 days of one series, gzip': '/measurements, 30d, gzip',
    '30 days of one series': '/measurements, 30d',
    'a filter of a day, never asked before': 'a day of one series',
    '... in gzip': 'a day of one series, gzip',
    'a filter of 30 days, never asked, gzip': '30 days of one series, gzip',
  };
  for (const [said, measured] of Object.entries(answers)) {
    t.equal(cell(scaling, said, 'bytes'), cell(report, measured, 'bytes'), said);
    const us = number(cell(report, measured, 'CPU us'));
    t.ok(Math.abs(number(cell(scaling, said, 'CPU us')) - us) <= 0.5, said);
    const [two, four, eight] = ['2 cores', '4 cores', '8 cores'].map((title) =>
      number(cell(scaling, said, title)),
    );
    for (const [found = 0, cores] of [
      [two, 1],
      [four, 3],
      [eight, 7],
    ] as const) {
      t.ok(Math.abs(found / ((1_000_000 / us) * cores) - 1) < 0.02, `${said}: ${cores}`);
    }
  }
  const sizes: Readonly<Record<string, string>> = {
    'local copy': 'copy MB',
    'publish, s': 'publish s',
    'import, s': 'import s',
    'import, peak memory': 'peak RSS MB',
    'memory at rest': 'at rest MB',
  };
  for (const [said, measured] of Object.entries(sizes)) {
    const expected = cell(report, '106,933', measured);
    t.equal(parseFloat(cell(scaling, '106,933', said)), number(expected), said);
  }
});
