/** The manifests of `deploy/`, by their readers' schemas, and in agreement with the Containerfile. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import t from 'tap';
import { npmEnvironment, run } from '../support/release/programs.js';

const containerfile = await readFile('deploy/Containerfile', 'utf8');
/** Texts of an instruction, wherever it stands in the Containerfile. */
const textsOf = (name: string): readonly string[] =>
  [...containerfile.matchAll(new RegExp(`^${name} (.*)$`, 'gm'))].map(([, text = '']) => text);

type Model = new (members: unknown) => { validate: () => void };

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
}

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
    const models = (await load(
      `${apiVersion.startsWith('monitoring.') ? OPERATOR : 'kubernetes-models'}/${apiVersion}/${kind}.js`,
    )) as Record<string, Model>;
    const Kind = models[kind];
    if (Kind === undefined) throw new Error(`no schema of ${apiVersion} ${kind}`);
    t.doesNotThrow(() => {
      new Kind(manifest).validate();
    }, kind);
  }
  t.strictSame(
    manifests.map(({ kind }) => kind),
    'ConfigMap Deployment Service NetworkPolicy PodDisruptionBudget PodMonitor CronJob'.split(' '),
  );
  t.strictSame(textsOf('USER'), ['1000:1000']);
  const [configMap, deployment, , network, , podMonitor, cronJob] = manifests;
  const label = { 'app.kubernetes.io/name': 'bura' };
  const [http, metrics] = ['http', 'metrics'].map((name) => ({ name }));
  const container = {
    securityContext: { readOnlyRootFilesystem: true },
    volumeMounts: textsOf('VOLUME').map((mountPath) => ({ mountPath })),
  };
  const serving = {
    ...container,
    ports: [{ ...http, containerPort: Number(textsOf('EXPOSE')[0]) }, metrics],
    readinessProbe: { httpGet: { path: '/health/ready' } },
    livenessProbe: { httpGet: { path: '/health/live' } },
  };
  const securityContext = { runAsNonRoot: true, runAsUser: 1000 };
  t.match(deployment, {
    spec: {
      strategy: { rollingUpdate: { maxUnavailable: 0 } },
      selector: { matchLabels: label },
      template: { metadata: { labels: label }, spec: { securityContext, containers: [serving] } },
    },
  });
  const operators = { ports: [{ port: 'metrics' }], from: [{ namespaceSelector: {} }] };
  t.match(network, {
    spec: {
      podSelector: { matchLabels: label },
      policyTypes: ['Ingress'],
      ingress: [{ ports: [{ port: 'http' }] }, operators],
    },
  });
  t.match(podMonitor, {
    spec: {
      // The value of this label is the job that the alerts name.
      jobLabel: 'app.kubernetes.io/name',
      selector: { matchLabels: label },
      podMetricsEndpoints: [{ port: 'metrics', path: '/metrics' }],
    },
  });
  const publishing = {
    ...container,
    image: /^bura-publisher:/,
    envFrom: [
      { configMapRef: { name: configMap?.metadata.name } },
      { secretRef: { name: 'bura-publish-store' } },
    ],
  };
  const jobTemplate = { spec: { template: { spec: { containers: [publishing] } } } };
  t.match(cronJob, { spec: { concurrencyPolicy: 'Forbid', jobTemplate } });
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
