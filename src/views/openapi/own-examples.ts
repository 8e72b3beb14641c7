/**
 * The build's documents with examples of the snapshot that is served: a build knows the demonstration alone
 * (`docs/contributing.md, "Add an endpoint"`).
 */
import { HOUR_MS, utcDateTime } from '../../snapshot/domain/windows.js';
import type { InstanceExamples } from '../instance-examples.js';
import type { Portal } from '../pages/portal/portal-model.js';

type Node = Readonly<Record<string, unknown>>;

/** Values of parameters by name; undefined where this instance has none. */
export type ParameterExamples = ReadonlyMap<string, string | number | undefined>;

/** Records of a list in an example; `tools/record-examples.mjs` records as many. */
const RECORDS_MAX = 2;

/** A station of the instance, a component of its, where it stands, and the last hour; times in UTC. */
export function parameterExamples(
  { header }: Portal,
  { station, other, components }: InstanceExamples,
): ParameterExamples {
  const { latitude, longitude } = station.position ?? {};
  const [component] = components.values();
  const end = Math.floor(header.generatedAtMs / HOUR_MS) * HOUR_MS;
  const edges = (degrees: number, limit: number): readonly [string, string] => [
    Math.max(-limit, degrees - 0.05).toFixed(2),
    Math.min(limit, degrees + 0.05).toFixed(2),
  ];
  const [west, east] = edges(longitude ?? 0, 180);
  const [south, north] = edges(latitude ?? 0, 90);
  return new Map<string, string | number | undefined>([
    ['station_id', station.id],
    ['compare', other.id],
    ['organization_id', station.organizationId],
    ['component_id', component?.id],
    ['parameter_code', component?.code],
    ['municipality', station.municipality],
    ['station_type', station.stationType],
    ['bbox', station.position && [west, south, east, north].join(',')],
    ['lat', latitude && Number(latitude.toFixed(2))],
    ['lon', longitude && Number(longitude.toFixed(2))],
    ['from', utcDateTime(end - HOUR_MS)],
    ['to', utcDateTime(end)],
    ['since', header.snapshotId],
  ]);
}

/**
 * @param text of the OpenAPI document.
 * @param answers by path and media type, in the place of its own; undefined where there is to be none.
 */
export function withOwnExamples(
  text: string,
  parameters: ParameterExamples,
  answers: ReadonlyMap<string, unknown>,
): string {
  const document = JSON.parse(text) as Node;
  const built = (text.match(/"snapshot_id":"([\w-]+)"/) ?? [])[1] ?? '';
  // Header fields and errors are shared by all operations, and name the snapshot too.
  const own = JSON.stringify(mapNode(document, []));
  return built === '' ? own : own.replaceAll(built, String(parameters.get('since')));

  function mapNode(value: unknown, path: readonly string[]): unknown {
    if (Array.isArray(value)) return value.map((one) => mapNode(one, path));
    if (typeof value !== 'object' || value === null) return value;
    const node = value as Node;
    const own = ownExample(node, path);
    const entries = Object.entries(node).map(([name, one]): readonly [string, unknown] => [
      name,
      name === 'example' ? (own ? own.example : one) : mapNode(one, [...path, name]),
    ]);
    return Object.fromEntries(entries);
  }

  /** Undefined where the node keeps what it has. */
  function ownExample(
    node: Node,
    path: readonly string[],
  ): { readonly example: unknown } | undefined {
    const { name, example } = node;
    if (typeof name === 'string' && 'in' in node && parameters.has(name)) {
      const own = parameters.get(name);
      return { example: Array.isArray(example) && own !== undefined ? [String(own)] : own };
    }
    // paths, path, get, responses, 200, content, media type
    const key = `${path[1]} ${path[6]}`;
    return path[4] === '200' && path[5] === 'content' && answers.has(key)
      ? { example: shortened(answers.get(key)) }
      : undefined;
  }
}

/** The same words in `/llms.txt`: `station_id` (path, required; for example 28005002). */
export function withOwnWords(text: string, parameters: ParameterExamples): string {
  return text.replaceAll(
    /^( *- `(\w+)` \([^\n;]*)(?:; for example )[^\n]*?(\): )/gm,
    (line, start: string, name: string, end: string) => {
      if (!parameters.has(name)) return line;
      const example = parameters.get(name);
      return start + (example === undefined ? '' : `; for example ${example}`) + end;
    },
  );
}

/** The same with every list of objects cut. */
function shortened(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value;
    const isOfObjects = items.some((item) => typeof item === 'object');
    return (isOfObjects ? items.slice(0, RECORDS_MAX) : items).map(shortened);
  }
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, shortened(one)]));
}
