/** The data dictionary, `GET /api/v1/data-dictionary`: the table of fields with what each field means. */
import { FORBIDDEN_FIELDS, LANGUAGES, type Language } from '../../snapshot/domain/model.js';
import { MESSAGES } from '../messages/languages.js';
import type { ComponentTexts } from '../messages/message-catalogue.js';
import { fieldsOf, type FieldType, type HvdComponent } from './fields.js';

interface DictionaryField {
  readonly name: string;
  readonly type: FieldType;
  readonly required: boolean;
  readonly constant: string | null;
  readonly references: string | null;
  readonly definition: string;
}

export interface DictionaryComponent {
  readonly name: HvdComponent;
  readonly title: string;
  readonly description: string;
  readonly standard_section: string;
  readonly fields: readonly DictionaryField[];
}

export interface DataDictionary {
  readonly language: Language;
  readonly supported_languages: readonly Language[];
  readonly standard_reference: string;
  readonly forbidden_fields: readonly string[];
  readonly components: readonly DictionaryComponent[];
}

/** Components and fields in the order of the table; texts in `language`. Needs no snapshot. */
export function viewDataDictionary(language: Language): DataDictionary {
  const { standardReference, components } = MESSAGES[language].dictionary;
  return {
    language,
    supported_languages: LANGUAGES,
    standard_reference: standardReference,
    forbidden_fields: FORBIDDEN_FIELDS,
    components: [
      viewComponent('stations', components.stations),
      viewComponent('parameters', components.parameters),
      viewComponent('observations', components.observations),
    ],
  };
}

function viewComponent<C extends HvdComponent>(
  component: C,
  texts: ComponentTexts<C>,
): DictionaryComponent {
  return {
    name: component,
    title: texts.title,
    description: texts.description,
    standard_section: texts.standardSection,
    fields: fieldsOf(component).map((field) => ({
      name: field.name,
      type: field.type,
      required: field.required,
      constant: field.constant,
      references: field.references,
      definition: texts.fields[field.name],
    })),
  };
}
