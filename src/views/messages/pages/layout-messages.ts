/** Type of the messages in the header and footer of every page. */
import type { LegalPage, Theme } from '../../pages/page.js';

export interface LayoutTexts {
  readonly skip: string;
  readonly service: string;
  /** Replaces the operator's name while there is no snapshot. */
  readonly noOperator: string;
  readonly mainNavigation: string;
  readonly portal: string;
  readonly api: string;
  readonly language: string;
  readonly theme: string;
  readonly themes: Readonly<Record<Theme | 'auto', string>>;
  readonly legalNavigation: string;
  readonly legal: Readonly<Record<LegalPage, string>>;
  readonly reuse: string;
  readonly preliminary: string;
  readonly software: string;
  /** Name of the feed of snapshots. */
  readonly feed: string;
}
