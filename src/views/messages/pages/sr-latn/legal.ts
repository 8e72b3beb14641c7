/** The legal pages in Serbian, written in Latin script; the tag `t` writes them in either script. */
import type { Script } from '../../../transliterate.js';
import type { ReadmeTexts } from '../../message-catalogue.js';
import type { LegalTexts } from '../legal-messages.js';
import { contact } from './contact.js';
import { dataset } from './dataset.js';
import { license } from './license.js';
import { qos } from './qos.js';
import { terms } from './terms.js';

/** @param files descriptions of the files of the bulk bundle. */
export function legalSerbian(t: Script, files: ReadmeTexts['files']): LegalTexts {
  return {
    contents: t`Na ovoj stranici`,
    changed: t`Poslednja izmena teksta`,
    withoutSnapshot: t`Podaci trenutno nisu dostupni, pa na ovoj stranici nema naziva operatera ni brojčanih podataka o skupu. Tekst važi i bez njih.`,
    pages: {
      license: (facts) => license(t, facts),
      terms: (facts) => terms(t, facts),
      qos: (facts) => qos(t, facts),
      contact: (facts) => contact(t, facts),
      dataset: (facts) => dataset(t, facts, files),
    },
  };
}
