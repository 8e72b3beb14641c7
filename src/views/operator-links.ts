/** The operator's name and licence, as pages, files and API show them. */
import { statedOperator } from '../texts/operator.js';
import { inLanguage, type Language } from '../texts/texts.js';

/** The name in `operator.json`, else in the snapshot. */
export function operatorName(
  language: Language,
  inSnapshot: string | undefined,
): string | undefined {
  const name = statedOperator()?.name;
  return (name && inLanguage(name, language)) ?? inSnapshot;
}

/** The licence in the specification, which applies without `operator.json`. */
export const DEFAULT_LICENSE = 'Otvoreni podaci po Zakonu o e-upravi (CC BY-equivalent)';

const LICENSE_PAGE = '/legal/license';

/** The licence in the descriptor, in English if translated. */
export function licenseOf(): { readonly name: string; readonly url: string } {
  const stated = statedOperator();
  const name = stated === undefined ? DEFAULT_LICENSE : licenseName('en');
  return { name: name ?? 'not stated', url: LICENSE_PAGE };
}

/** Name of the licence in `operator.json`, if any. */
export function licenseName(language: Language): string | undefined {
  const name = statedOperator()?.license?.name;
  return name && inLanguage(name, language);
}
