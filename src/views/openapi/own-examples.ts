/**
 * The build's documents with examples of the snapshot that is served: a build knows parameters of the demonstration
 * alone (`docs/contributing.md, "Add an endpoint"`).
 */
import { HOUR_MS, utcDateTime } from '../../snapshot/domain/windows.js';
import type { InstanceExamples } from '../instance-examples.js';
import type { Portal } from '../pages/portal/portal-model.js';

/** Values of parameters by name; undefined where this instance has none. */
export type ParameterExamples = ReadonlyMap<string, string | number | undefined>;

/** Records of a list in an example. */
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

/** The parts of the OpenAPI document that have examples. */
interface Described {
  readonly paths: Readonly<Record<string, { readonly get: DescribedOperation }>>;
}

interface DescribedOperation {
  /** Header fields are references, without a name. */
  readonly parameters: readonly { readonly name?: string; example?: unknown }[];
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { example?: unknown }>> }>
  >;
}

/**
 * @param text of the OpenAPI document.
 * @param answers by path and media type.
 */
export function withOwnExamples(
  text: string,
  parameters: ParameterExamples,
  answers: ReadonlyMap<string, unknown>,
): string {
  const document = JSON.parse(text) as Described;
  for (const [path, { get }] of Object.entries(document.paths)) {
    for (const parameter of get.parameters) {
      const { name = '', example } = parameter;
      if (example === undefined || !parameters.has(name)) continue;
      const own = parameters.get(name);
      parameter.example = Array.isArray(example) && own !== undefined ? [String(own)] : own;
    }
    for (const [mediaType, content] of Object.entries(get.responses['200']?.content ?? {}))
      content.example = shortened(answers.get(`${path} ${mediaType}`));
  }
  return JSON.stringify(document);
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
