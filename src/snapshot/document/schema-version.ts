/** The schema versions of snapshot documents that this version of bura reads, and in what they differ. */

/** The schema versions that are known (`docs/snapshot-format.md, "Schema versions"`), oldest first. */
export const SCHEMA_VERSIONS = ['1.2.0', '1.3.0'] as const;
export type SchemaVersion = (typeof SCHEMA_VERSIONS)[number];

/** Schema version of a document that states no version. */
export const DEFAULT_SCHEMA_VERSION: SchemaVersion = '1.2.0';

/** Members that mean something from 1.3.0 on, and are additional ones before. */
export const NEW_MEMBERS = {
  components: ['parameter_name'],
  measurements: ['published_at_utc', 'updated_at_utc'],
} as const;

/** Whether documents of a version have `NEW_MEMBERS`. */
export function hasNewMembers(schemaVersion: string): boolean {
  return schemaVersion === '1.3.0';
}
