/** The data dictionary, `GET /api/v1/data-dictionary`: the table of fields with definitions. */
import { FORBIDDEN_FIELDS } from '../../snapshot/domain/model.js';
import type { Messages } from '../../texts/fluent-messages.js';
import { LANGUAGES, messagesOf, type Language } from '../../texts/texts.js';
import { fieldsOf, HVD_COMPONENTS, type HvdComponent } from './fields.js';

export type DictionaryComponent = ReturnType<typeof viewComponent>;

/** Components and fields in the order of the table; texts in `language`. */
export function viewDataDictionary(language: Language) {
  const messages = messagesOf(language, 'dictionary');
  return {
    language,
    supported_languages: LANGUAGES,
    standard_reference: messages('standard-reference'),
    forbidden_fields: FORBIDDEN_FIELDS,
    components: HVD_COMPONENTS.map((component) => viewComponent(component, messages)),
  };
}

function viewComponent(component: HvdComponent, messages: Messages) {
  return {
    name: component,
    title: messages(`${component}-title`),
    description: messages(`${component}-description`),
    standard_section: messages(`${component}-section`),
    fields: fieldsOf(component).map(({ name, type, required, constant, references }) => ({
      name,
      type,
      required,
      constant,
      references,
      definition: messages(`${component}-field-${name}`),
    })),
  };
}
