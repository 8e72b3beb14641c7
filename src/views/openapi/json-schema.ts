/** JSON Schema (2020-12) as data, with building blocks of the OpenAPI document. */

export type Schema = Readonly<Record<string, unknown>>;

export type SchemaMembers = Readonly<Record<string, Schema>>;

/** `YYYY-MM-DDTHH:MM:SSZ`, the form of all served date-times (`docs/http-api/requests.md, "Date-times"`). */
export const DATE_TIME: Schema = {
  type: 'string',
  format: 'date-time',
  pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ$',
};

export const DATE: Schema = { type: 'string', format: 'date', pattern: '^\\d{4}-\\d\\d-\\d\\d$' };

/** The start of an hour, UTC. */
export const TIME: Schema = { type: 'string', pattern: '^([01]\\d|2[0-3]):(00|15|30|45)$' };

export const TEXT: Schema = { type: 'string' };
export const NUMBER: Schema = { type: 'number' };
export const INTEGER: Schema = { type: 'integer' };
export const COUNT: Schema = { type: 'integer', minimum: 0 };
export const FLAG: Schema = { type: 'boolean' };

export function described(description: string, schema: Schema): Schema {
  return { ...schema, description };
}

export function constant(value: string | number | boolean): Schema {
  return { type: typeof value, const: value };
}

export function choice(values: readonly string[]): Schema {
  return { type: 'string', enum: values };
}

export function orNull(schema: Schema): Schema {
  const { type, enum: values, ...rest } = schema;
  return {
    ...rest,
    type: [type, 'null'],
    ...(Array.isArray(values) && { enum: [...(values as readonly unknown[]), null] }),
  };
}

export function listOf(items: Schema): Schema {
  return { type: 'array', items };
}

export function reference(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` };
}

/** NDJSON: one line of the first schema, then lines of the second. */
export function jsonLines(first: string, others: string): Schema {
  return {
    type: 'string',
    description: `Lines of JSON, each ended by a line feed, the last one too: first a \`${first}\`, then one \`${others}\` a line.`,
    contentMediaType: 'application/x-ndjson',
    contentSchema: { anyOf: [reference(first), reference(others)] },
  };
}

/** An object that may have further members, which come from the snapshot document. */
export function open(required: SchemaMembers, optional: SchemaMembers = {}): Schema {
  return {
    type: 'object',
    properties: { ...required, ...optional },
    required: Object.keys(required),
  };
}

/** An object that has no further members. */
export function closed(required: SchemaMembers, optional: SchemaMembers = {}): Schema {
  return { ...open(required, optional), additionalProperties: false };
}
