/** The legal pages in Serbian, written in Latin script; the tag `t` puts them into either script. */
import type { Script } from '../../../transliterate.js';
import type { ReadmeTexts } from '../../catalogue.js';
import type { LegalTexts } from '../legal-messages.js';
import { contact } from './contact.js';
import { dataset } from './dataset.js';
import { license } from './license.js';
import { qos } from './qos.js';
import { terms } from './terms.js';

/** `files` says what each file of the bulk bundle holds. */
export function legalSerbian(t: Script, files: ReadmeTexts['files']): LegalTexts {
  return {
    contents: t`Na ovoj stranici`,
    changed: t`Poslednja izmena teksta`,
    withoutSnapshot: t`Podaci trenutno nisu dostupni, pa na ovoj stranici nema naziva operatera ni brojčanih podataka o skupu. Tekst važi i bez njih.`,
    pages: {
      license: (known) => license(t, known),
      terms: (known) => terms(t, known),
      qos: (known) => qos(t, known),
      contact: (known) => contact(t, known),
      dataset: (known) => dataset(t, known, files),
    },
  };
}
