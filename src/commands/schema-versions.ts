/** The snapshot schema versions that this version of bura can read (contract §9). */
export const KNOWN_SCHEMA_VERSIONS: readonly string[] = ['1.2.0'];
