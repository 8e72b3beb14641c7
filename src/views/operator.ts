/** The operator's name, as all that is published says it. */
import { statedOperator } from '../texts/operator.js';
import { inLanguage, type Language } from '../texts/texts.js';

/** What `operator.json` says, else the name that the snapshot has; undefined where neither has one. */
export function operatorName(
  language: Language,
  inSnapshot: string | undefined,
): string | undefined {
  const name = statedOperator()?.name;
  return (name && inLanguage(name, language)) ?? inSnapshot;
}
