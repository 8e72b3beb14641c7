/** Reads the English words of the API's documentation from `texts/openapi` (CommonMark), for the build alone. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LANGUAGES } from '../../texts/texts.js';
import type { DocumentedEndpoint } from '../routing/endpoint.js';
import type { Parameter } from '../routing/parameter.js';
import type { Operation } from './operation.js';

export interface ApiWords {
  readonly title: string;
  readonly introduction: string;
  readonly endpoints: readonly DescribedEndpoint[];
}

export interface DescribedEndpoint extends Omit<DocumentedEndpoint, 'operation' | 'parameters'> {
  readonly operation: Operation & { readonly summary: string; readonly description: string };
  readonly parameters: Readonly<Record<string, DescribedParameter>>;
}

export type DescribedParameter = Parameter<unknown> & { readonly description: string };

/** @throws {Error} for an operation or parameter without a text, and for a text that nothing uses. */
export function readWords(folder: string, endpoints: readonly DocumentedEndpoint[]): ApiWords {
  const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
  const [, title = '', introduction = ''] =
    /^# (.*)\n\n([^]*)$/.exec(read('introduction.md')) ?? [];
  const operations = new Words('operations.md', read('operations.md'));
  const parameters = new Words('parameters.md', read('parameters.md'));
  const described = endpoints.map((endpoint) => {
    const { id } = endpoint.operation;
    const [summary = '', ...description] = operations.of(id);
    return {
      ...endpoint,
      operation: { ...endpoint.operation, summary, description: description.join('\n\n') },
      parameters: Object.fromEntries(
        Object.entries(endpoint.parameters).map(([name, one]) => [
          name,
          { ...one, description: parameters.of(name, id).join('\n\n') },
        ]),
      ),
    };
  });
  operations.refuseUnused();
  parameters.refuseUnused();
  return { title, introduction: introduction.trim(), endpoints: described };
}

/** Sections of a file: `## NAME` has the text of a name, `### ID, ID` below it the text for these operations alone. */
class Words {
  readonly #file: string;
  /** Paragraphs, each as one line, by `NAME` and by `NAME of ID`. */
  readonly #sections = new Map<string, readonly string[]>();
  readonly #unused: Set<string>;

  constructor(file: string, text: string) {
    this.#file = file;
    for (const section of text.split(/^## /m).slice(1)) {
      const [own = '', ...parts] = section.split(/^### /m);
      const [name = '', ...words] = paragraphs(own);
      this.#sections.set(name, words);
      for (const part of parts) {
        const [ids = '', ...others] = paragraphs(part);
        for (const id of ids.split(', ')) this.#sections.set(`${name} of ${id}`, others);
      }
    }
    this.#unused = new Set(this.#sections.keys());
  }

  of(name: string, operation?: string): readonly string[] {
    const own = operation === undefined ? [] : [`${name} of ${operation}`];
    for (const key of [...own, name]) {
      const words = this.#sections.get(key);
      if (words === undefined) continue;
      this.#unused.delete(key);
      return words;
    }
    throw new Error(`texts/openapi/${this.#file} says nothing of ${name}`);
  }

  refuseUnused(): void {
    const [name] = this.#unused;
    if (name !== undefined) throw new Error(`texts/openapi/${this.#file}: nothing has ${name}`);
  }
}

/** The paragraphs of a text, each on one line, with the languages of this build. */
function paragraphs(text: string): readonly string[] {
  return text
    .trim()
    .split('\n\n')
    .map((one) => one.replaceAll('\n', ' ').replaceAll('{languages}', LANGUAGES.join(', ')));
}
