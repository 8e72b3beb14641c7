/** The line that names the source of what leaves the portal: pictures and workbooks. */
import { statedOperator } from '../../../texts/operator.js';
import { messagesOf, type Language } from '../../../texts/texts.js';
import { licenseName, operatorName } from '../../operator.js';
import type { Formatters } from './formatters.js';
import type { Portal } from './portal-model.js';

/** Operator, status of the data, snapshot and licence. */
export function creditOf(
  { operators, header }: Pick<Portal, 'operators' | 'header'>,
  language: Language,
  format: Pick<Formatters, 'fullMoment'>,
): string {
  const texts = messagesOf(language, 'portal');
  return texts('picture-credit', {
    operator: operatorName(language, operators[0]) ?? texts('title'),
    snapshot: format.fullMoment(header.generatedAtMs).text,
    license: creditLicense(language),
  }).trimEnd();
}

/** Empty where the operator states none. */
function creditLicense(language: Language): string {
  if (statedOperator() === undefined) return messagesOf(language, 'portal')('picture-license');
  const name = licenseName(language);
  return name === undefined ? '' : `${name}.`;
}
