/** The schema versions of snapshot documents, and the differences between them. */

/** The supported schema versions (`docs/snapshot-format.md, "Schema versions"`), oldest first. */
export const SCHEMA_VERSIONS = ['1.2.0', '1.3.0'] as const;
export type SchemaVersion = (typeof SCHEMA_VERSIONS)[number];

/** Default version of documents that are made from tables. */
export const DEFAULT_SCHEMA_VERSION: SchemaVersion = '1.2.0';

/** Members that have a meaning from 1.3.0 on, and are additional members before. */
export const NEW_MEMBERS = {
  components: ['parameter_name'],
  measurements: ['published_at_utc', 'updated_at_utc'],
} as const;

export function hasNewMembers(schemaVersion: string): boolean {
  return schemaVersion === '1.3.0';
}
