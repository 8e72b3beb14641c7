/** The operator's name and licence, as all that is published says them. */
import { statedOperator } from '../texts/operator.js';
import { inLanguage, type Language } from '../texts/texts.js';

/** The name in `operator.json`, else that in the snapshot; undefined without either. */
export function operatorName(
  language: Language,
  inSnapshot: string | undefined,
): string | undefined {
  const name = statedOperator()?.name;
  return (name && inLanguage(name, language)) ?? inSnapshot;
}

/** The licence as the specification names it. */
export const DEFAULT_LICENSE = 'Otvoreni podaci po Zakonu o e-upravi (CC BY-equivalent)';

/** Path of the page that says it whole. */
const LICENSE_PAGE = '/legal/license';

/** The licence as the descriptor has it, in English where the operator says it in several languages. */
export function licenseOf(): { readonly name: string; readonly url: string } {
  const stated = statedOperator();
  const name = stated === undefined ? DEFAULT_LICENSE : licenseName('en');
  return { name: name ?? 'not stated', url: LICENSE_PAGE };
}

/** The licence that the operator states; undefined where it states none. */
export function licenseName(language: Language): string | undefined {
  const name = statedOperator()?.license?.name;
  return name && inLanguage(name, language);
}
