/** Types of the messages that every display language has. */
import type { BulkFileName } from '../hvd/bulk.js';
import type { FieldName, HvdComponent } from '../hvd/fields.js';
import type { DocumentationTexts } from './pages/documentation-messages.js';
import type { LegalTexts } from './pages/legal-messages.js';
import type { LayoutTexts } from './pages/layout-messages.js';
import type { PortalTexts } from './pages/portal-messages.js';
import type { RecipesTexts } from './pages/recipes-messages.js';

/** How the data of a distribution are delivered: over the API, or as a file of one format. */
export type DistributionKind = 'api' | 'csv' | 'geojson' | 'json' | 'parquet';

export interface ComponentTexts<C extends HvdComponent> {
  readonly title: string;
  readonly description: string;
  /** Section of the standard that describes the component. */
  readonly standardSection: string;
  /** What each field means. */
  readonly fields: Readonly<Record<FieldName<C>, string>>;
}

export interface DictionaryTexts {
  readonly standardReference: string;
  readonly components: { readonly [C in HvdComponent]: ComponentTexts<C> };
}

interface TitleAndDescription {
  readonly title: string;
  readonly description: string;
}

export interface CatalogTexts extends TitleAndDescription {
  readonly datasets: Readonly<Record<HvdComponent, TitleAndDescription>>;
  readonly service: TitleAndDescription;
  /** Each kind of distribution: its title, which follows the dataset's, and its contents. */
  readonly distributions: Readonly<Record<DistributionKind, TitleAndDescription>>;
  readonly keywords: readonly string[];
  readonly license: string;
  readonly dictionary: string;
  readonly documents: Readonly<Record<'documentation' | 'terms' | 'qos' | 'dataset', string>>;
}

/** Texts of the bulk bundle's README; each is a paragraph, unless its name says otherwise. */
export interface ReadmeTexts {
  readonly title: string;
  readonly introduction: string;
  readonly snapshotLabel: string;
  readonly generatedLabel: string;
  readonly publisherLabel: string;
  readonly filesHeading: string;
  readonly files: Readonly<Record<BulkFileName, string>>;
  readonly csvNote: string;
  readonly licenseHeading: string;
  readonly license: string;
  readonly attributionHeading: string;
  readonly attribution: string;
  /** Text between the publisher's name and the time of the snapshot. */
  readonly attributionExample: string;
  readonly preliminaryHeading: string;
  readonly preliminary: string;
  readonly retentionHeading: string;
  readonly retention: string;
  readonly checkHeading: string;
  readonly check: string;
  readonly dictionaryHeading: string;
  readonly columns: Readonly<Record<'field' | 'type' | 'required' | 'definition', string>>;
  readonly yes: string;
  readonly no: string;
}

export interface Messages {
  readonly dictionary: DictionaryTexts;
  readonly catalog: CatalogTexts;
  readonly readme: ReadmeTexts;
  readonly legal: LegalTexts;
  readonly documentation: DocumentationTexts;
  readonly layout: LayoutTexts;
  readonly portal: PortalTexts;
  readonly recipes: RecipesTexts;
}
