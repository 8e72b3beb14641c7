/** Types of the legal pages' messages: functions of facts about the operator and the snapshot that return prose. */
import type { BulkFileName } from '../../hvd/bulk.js';
import type { LegalPage } from '../../pages/page.js';
import { link, type Inline, type Inlines, type Section } from '../prose.js';

export const CONTACT_KINDS = ['person', 'email', 'telephone', 'address', 'website'] as const;
export type ContactKind = (typeof CONTACT_KINDS)[number];

/** The operator of the network, as the snapshot describes it, in no particular language. */
export interface Operator {
  readonly name: string;
  readonly shortName: string;
  /** Available contact details, in the order of `CONTACT_KINDS`. */
  readonly contact: readonly { readonly kind: ContactKind; readonly value: Inlines }[];
  readonly description: string | undefined;
}

/** The active snapshot; times and numbers are formatted for the page's language. */
export interface SnapshotFacts {
  readonly id: string;
  readonly schemaVersion: string;
  /** Whether it is of a past time on purpose, and no newer one will follow. */
  readonly isDemonstration: boolean;
  readonly generatedAt: Inline;
  /** `YYYY-MM-DD HH:MM UTC`, for citations. */
  readonly citedAt: string;
  /** Start and end of the retention window. */
  readonly period: { readonly from: Inline; readonly to: Inline };
  readonly counts: {
    readonly networks: string;
    readonly stations: string;
    readonly components: string;
    readonly measurements: string;
  };
  /** In the order of the index of the bulk bundle; empty where the index cannot be read. */
  readonly files: readonly {
    readonly name: BulkFileName;
    readonly format: string;
    readonly size: string;
  }[];
}

/** Both are undefined while no snapshot is served. */
export interface LegalFacts {
  readonly operator: Operator | undefined;
  readonly snapshot: SnapshotFacts | undefined;
}

export interface LegalText {
  /** Title of the page and of its link in the footer. */
  readonly title: string;
  /** One sentence, for search engines and under the heading. */
  readonly description: string;
  readonly sections: readonly Section[];
}

export interface LegalTexts {
  readonly contents: string;
  readonly changed: string;
  /** Notice instead of facts of the snapshot while there is none. */
  readonly withoutSnapshot: string;
  readonly pages: Readonly<Record<LegalPage, (facts: LegalFacts) => LegalText>>;
}

/** Rows of the table of files: name, contents, format, size. */
export function fileRows(
  { files }: SnapshotFacts,
  texts: Readonly<Record<BulkFileName, string>>,
): readonly (readonly Inlines[])[] {
  return files.map(({ name, format, size }) => [
    [link(`/api/v1/bulk/${name}`, name)],
    [texts[name]],
    [format],
    [size],
  ]);
}
