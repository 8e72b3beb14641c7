/** The data dictionary, `GET /api/v1/data-dictionary`: the table of fields with what each field means. */
import { FORBIDDEN_FIELDS, LANGUAGES, type Language } from '../../snapshot/domain/model.js';
import { MESSAGES } from '../messages/languages.js';
import type { ComponentTexts } from '../messages/message-catalogue.js';
import { fieldsOf, type Field, type HvdComponent } from './fields.js';

type DictionaryField = Pick<Field, 'name' | 'type' | 'required' | 'constant' | 'references'> & {
  readonly definition: string;
};

export interface DictionaryComponent {
  readonly name: HvdComponent;
  readonly title: string;
  readonly description: string;
  readonly standard_section: string;
  readonly fields: readonly DictionaryField[];
}

/** Components and fields in the order of the table; texts in `language`. Needs no snapshot. */
export function viewDataDictionary(language: Language) {
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
    fields: fieldsOf(component).map(({ name, type, required, constant, references }) => ({
      ...{ name, type, required, constant, references },
      definition: texts.fields[name],
    })),
  };
}
