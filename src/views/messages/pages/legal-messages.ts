/** What the legal pages say, in any language: functions from what is known of the operator and the snapshot to prose. */
import type { BulkFileName } from '../../hvd/bulk.js';
import type { LegalPage } from '../../pages/page.js';
import { link, type Run, type Runs, type Section } from '../prose.js';

export const CONTACT_KINDS = ['person', 'email', 'telephone', 'address', 'website'] as const;
export type ContactKind = (typeof CONTACT_KINDS)[number];

/** What the snapshot tells of whoever runs the network: the operator's own words, in no particular language. */
export interface Operator {
  readonly name: string;
  readonly shortName: string;
  /** Those that are known, in the order of `CONTACT_KINDS`. */
  readonly contact: readonly { readonly kind: ContactKind; readonly value: Runs }[];
  readonly description: string | undefined;
}

/** The active snapshot; moments and numbers are written in the page's language. */
export interface SnapshotFacts {
  readonly id: string;
  readonly schemaVersion: string;
  readonly generatedAt: Run;
  /** `YYYY-MM-DD HH:MM UTC`, for citations. */
  readonly citedAt: string;
  /** Start and end of the retention window. */
  readonly period: { readonly from: Run; readonly to: Run };
  readonly counts: {
    readonly networks: string;
    readonly stations: string;
    readonly components: string;
    readonly measurements: string;
  };
  /** In the order of the index; empty where it cannot be had. */
  readonly files: readonly {
    readonly name: BulkFileName;
    readonly format: string;
    readonly size: string;
  }[];
}

/** Each undefined while no snapshot is served. */
export interface LegalFacts {
  readonly operator: Operator | undefined;
  readonly snapshot: SnapshotFacts | undefined;
}

export interface LegalText {
  /** Of the page, and of its link in the footer. */
  readonly title: string;
  /** One sentence, for search engines and under the heading. */
  readonly description: string;
  readonly sections: readonly Section[];
}

export interface LegalTexts {
  readonly contents: string;
  readonly changed: string;
  /** Stands where facts of the snapshot would. */
  readonly withoutSnapshot: string;
  readonly pages: Readonly<Record<LegalPage, (facts: LegalFacts) => LegalText>>;
}

/** Rows of the table of files: name, what it holds, format, size. */
export function fileRows(
  { files }: SnapshotFacts,
  texts: Readonly<Record<BulkFileName, string>>,
): readonly (readonly Runs[])[] {
  return files.map(({ name, format, size }) => [
    [link(`/api/v1/bulk/${name}`, name)],
    [texts[name]],
    [format],
    [size],
  ]);
}
