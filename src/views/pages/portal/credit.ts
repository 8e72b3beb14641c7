/** The source line of pictures, workbooks and prints. */
import { statedOperator } from '../../../texts/operator.js';
import { messagesOf, type Language } from '../../../texts/texts.js';
import { licenseName, operatorName } from '../../operator-links.js';
import type { Formatters } from './formatters.js';
import type { Portal } from './portal-model.js';

/** Operator, status of the data, snapshot and licence; then shorter forms, the last with status and licence only. */
export function creditOf(
  { operators, header }: Pick<Portal, 'operators' | 'header'>,
  language: Language,
  format: Pick<Formatters, 'fullMoment'>,
): readonly [string, ...string[]] {
  const texts = messagesOf(language, 'portal');
  const stated = statedOperator();
  const operator = operatorName(language, operators[0]) ?? texts('title');
  const name = stated === undefined ? texts('picture-license') : licenseName(language);
  // Shortens `Creative Commons Attribution 4.0 International (CC BY 4.0)` to `CC BY 4.0`.
  const license = name && (/\(([^()]+)\)$/.exec(name)?.[1] ?? name);
  const snapshot = format.fullMoment(header.generatedAtMs).text;
  const credit = (named: string | undefined): string =>
    texts('picture-credit', { operator, snapshot, license: named ? `${named}.` : '' }).trimEnd();
  const short = [operator, stated?.short_name, undefined].map((source) =>
    [source, texts('preliminary'), license].filter(Boolean).join('\u00a0· '),
  );
  return [credit(name), credit(license), ...short];
}
