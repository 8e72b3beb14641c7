/** The manifests of `deploy/`, by their readers' schemas, and in agreement with the Containerfile. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import t from 'tap';
import { npmEnvironment, run } from '../support/programs.js';

const containerfile = await readFile('deploy/Containerfile', 'utf8');
/** Texts of an instruction, wherever it stands in the Containerfile. */
const textsOf = (name: string): readonly string[] =>
  [...containerfile.matchAll(new RegExp(`^${name} (.*)$`, 'gm'))].map(([, text = '']) => text);

/** By kind, in agreement with the Containerfile; `jobLabel` names the label whose value is the job of the alerts. */
const EXPECTED = JSON.parse(
  await readFile('test/fixtures/rules/manifests.json', 'utf8'),
) as Readonly<Record<string, object>>;

type Model = new (members: unknown) => { validate: () => void };
type Manifest = Readonly<Record<'apiVersion' | 'kind', string>>;
const FILES = ['kubernetes.yaml', 'monitoring/podmonitor.yaml', 'publish/cronjob.yaml'];
const OPERATOR = '@kubernetes-models/prometheus-operator';

/** Kubernetes' own schemas as a package, and a reader of YAML: fetched here, since nothing else needs them. */
async function fetchModels(folder: string): Promise<(path: string) => Promise<unknown>> {
  const packages = ['kubernetes-models@5.1.0', `${OPERATOR}@6.0.0`, 'yaml@2.9.1'];
  const parameters = ['install', '--prefix', folder, '--no-save', '--no-audit', ...packages];
  await run('npm', parameters, { env: await npmEnvironment() });
  return async (path) =>
    (await import(pathToFileURL(join(folder, 'node_modules', path)).href)) as unknown;
}

await t.test('every Kubernetes manifest is valid', async (t) => {
  const load = await fetchModels(t.testdir());
  const { parseAllDocuments } = (await load('yaml/dist/index.js')) as {
    readonly parseAllDocuments: (text: string) => readonly { toJS: () => Manifest }[];
  };
  const texts = await Promise.all(FILES.map((file) => readFile(`deploy/${file}`, 'utf8')));
  const manifests = texts.flatMap((text) => parseAllDocuments(text)).map((one) => one.toJS());
  for (const manifest of manifests) {
    const { apiVersion, kind } = manifest;
    const source = apiVersion.startsWith('monitoring.') ? OPERATOR : 'kubernetes-models';
    const models = (await load(`${source}/${apiVersion}/${kind}.js`)) as Record<string, Model>;
    const Kind = models[kind];
    if (Kind === undefined) throw new Error(`no schema of ${apiVersion} ${kind}`);
    t.doesNotThrow(() => {
      new Kind(manifest).validate();
    }, kind);
    t.match(manifest, EXPECTED[kind] ?? {}, kind);
  }
  const kinds = manifests.map(({ kind }) => kind).join(' ');
  const all = 'ConfigMap Deployment Service NetworkPolicy PodDisruptionBudget PodMonitor CronJob';
  t.equal(kinds, all);
  const own = ['USER', 'VOLUME', 'EXPOSE'].flatMap((name) => textsOf(name));
  t.strictSame(own, ['1000:1000', '/var/lib/bura', '8080']);
  t.match(JSON.stringify(manifests.at(-1)), /"image":"bura-publisher:/);
});

await t.test('compose reads its file, and instances and publisher are read-only', async (t) => {
  const flags = ['--file', 'deploy/compose.yaml', '--profile', 'publish'];
  const { stdout } = await run('docker-compose', [...flags, 'config']);
  t.equal(stdout.match(/read_only: true/g)?.length, 3);
  t.match(stdout, 'target: publisher');
  t.match(stdout, 'condition: service_healthy');
  for (const volume of textsOf('VOLUME')) {
    t.equal(stdout.match(new RegExp(`(?:local-[12]|work):${volume}`, 'g'))?.length, 3, volume);
  }
});
