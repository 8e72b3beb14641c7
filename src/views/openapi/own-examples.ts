/** Examples of parameters from the active snapshot (`docs/contributing.md, "Add an endpoint"`). */
import type { InstanceExamples } from '../instance-examples.js';

/** Example values by parameter name; undefined if this instance has no such value. */
export type ParameterExamples = ReadonlyMap<string, string | number | undefined>;

export function parameterExamples(
  { station, other, components }: InstanceExamples,
  snapshotId: string,
): ParameterExamples {
  const [component] = components.values();
  return new Map<string, string | number | undefined>([
    ['station_id', station.id],
    ['compare', other.id],
    ['organization_id', station.organizationId],
    ['component_id', component?.id],
    ['parameter_code', component?.code],
    ['parameter-name', component?.code],
    ['feature_id', `${station.id}`],
    ['since', snapshotId],
    ['snapshot', snapshotId],
  ]);
}

/** A parameter with its example; without a name it is a reference to a header field. */
type Parameter = { readonly name?: string; example?: unknown };

/** The parts of the OpenAPI document with examples. */
interface Described {
  readonly paths: Readonly<Record<string, { readonly get: { parameters: readonly Parameter[] } }>>;
}

/** Replaces the examples in the text of the OpenAPI document. */
export function withOwnExamples(text: string, own: ParameterExamples): string {
  const document = JSON.parse(text) as Described;
  const parameters = Object.values(document.paths).flatMap(({ get }) => get.parameters);
  for (const parameter of parameters) {
    const { name = '', example } = parameter;
    if (example === undefined || !own.has(name)) continue;
    const value = own.get(name);
    parameter.example = Array.isArray(example) && value !== undefined ? [String(value)] : value;
  }
  return JSON.stringify(document);
}

/** Replaces the examples in lines of `/llms.txt`, such as `station_id` (path, required; for example 28005002). */
export function withOwnWords(text: string, own: ParameterExamples): string {
  return text.replaceAll(
    /^( *- `([\w-]+)` \([^\n;]*)(?:; for example )[^\n]*?(\): )/gm,
    (line, start: string, name: string, end: string) => {
      if (!own.has(name)) return line;
      const example = own.get(name);
      return start + (example === undefined ? '' : `; for example ${example}`) + end;
    },
  );
}
