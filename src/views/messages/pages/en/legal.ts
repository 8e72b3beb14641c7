/** The legal pages in English. */
import type { ReadmeTexts } from '../../message-catalogue.js';
import type { LegalTexts } from '../legal-messages.js';
import { contact } from './contact.js';
import { dataset } from './dataset.js';
import { license } from './license.js';
import { qos } from './qos.js';
import { terms } from './terms.js';

/** @param files descriptions of the files of the bulk bundle. */
export function legalEnglish(files: ReadmeTexts['files']): LegalTexts {
  return {
    contents: 'On this page',
    changed: 'Text last changed',
    withoutSnapshot:
      'The data are not available at the moment, so this page does not show the operator and the figures of the dataset. The text holds all the same.',
    pages: { license, terms, qos, contact, dataset: (facts) => dataset(facts, files) },
  };
}
