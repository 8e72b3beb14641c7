/** Writes component codes for people, and lengths for SVG; unknown codes are unchanged. */
import { prettyUnit } from '../../../snapshot/domain/units.js';
import type { Messages } from '../../../texts/fluent-messages.js';
import type { PortalComponent } from './portal-model.js';

const SUBSCRIPT_ZERO = '₀'.charCodeAt(0);

/** Codes with subscripts: `PM₁₀`, `NO₂`. */
const FORMULA = /^(?:PM\d+(?:\.\d+)?|[NSCO]O?[23]|H2S|NH3|CH4|C6H6|NOX)$/i;

export function prettyCode(code: string): string {
  if (!FORMULA.test(code)) return code;
  if (/^NOX$/i.test(code)) return 'NOₓ';
  return code.replace(/\d/g, (digit) => String.fromCharCode(SUBSCRIPT_ZERO + Number(digit)));
}

/** Key of a component in messages: `PM2.5`, `NO2`, `TEMP`; equal for different spellings. */
export function componentKey(code: string): string {
  const plain = code
    .trim()
    .toUpperCase()
    .replaceAll(',', '.')
    .replace(/^PM25$/, 'PM2.5');
  return SYNONYMS.get(plain) ?? plain;
}

const SYNONYMS: ReadonlyMap<string, string> = new Map([
  ['BENZEN', 'C6H6'],
  ['BENZENE', 'C6H6'],
  ['T', 'TEMP'],
  ['TEMPERATURE', 'TEMP'],
  ['P', 'PRES'],
  ['PRESSURE', 'PRES'],
  ['HUM', 'RH'],
  ['PREC', 'RAIN'],
  ['WINDSPEED', 'WS'],
  ['WINDDIR', 'WD'],
]);

/** Short name of a component, and its description, if any. */
export function nameOf({ code, name }: Pick<PortalComponent, 'code' | 'name'>, texts: Messages) {
  const key = `component-${componentKey(code).replaceAll('.', '-')}`;
  const ownDescription = texts.has(key) ? texts(key) : undefined;
  const description = name !== undefined && name !== code ? name : ownDescription;
  const label = texts.has(`${key}-label`) ? texts(`${key}-label`) : prettyCode(code);
  return { label, description };
}

export function notMeasuredText(component: PortalComponent, texts: Messages): string {
  return texts('station-not-measuring', { component: nameOf(component, texts).label });
}

/** A length in percent. @param share from 0 to 1. */
export function percent(share: number): string {
  return `${Number((share * 100).toFixed(2))}%`;
}

const METEOROLOGICAL = /^(?:°C|K|%|h?Pa|mbar|m\/s|km\/h|kt|°|W\/m²|mm|l\/m²|h)$/;

export function isMeteorological({ unit }: { readonly unit: string }): boolean {
  return METEOROLOGICAL.test(prettyUnit(unit));
}
