/** What `--explain` believes of the tables of a folder, and what it asks. */
import type { ColumnProfile } from './profile.js';

/** A flag of `bura build` without its dashes, and what it is set to. */
export type Proposal = Record<
  string,
  string | boolean | readonly string[] | Readonly<Record<string, string>>
>;

/** What only the operator knows. */
export interface Question {
  /** A line of TOML. */
  readonly proposal: string;
  readonly why: string;
}

/** What is believed of a column. */
export type Beliefs = Map<ColumnProfile, string>;

export function addTo(
  proposal: Proposal,
  key: string,
  members: Readonly<Record<string, string>>,
): void {
  const known = proposal[key];
  const isTable = (
    value: Proposal[string] | undefined,
  ): value is Readonly<Record<string, string>> =>
    typeof value === 'object' && !Array.isArray(value);
  proposal[key] = isTable(known) ? { ...known, ...members } : members;
}
