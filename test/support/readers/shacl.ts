/** Validates JSON-LD by the shapes in `test/fixtures/dcat`, without the network. */
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Quad, Term } from '@rdfjs/types';
import { JsonLdParser } from 'jsonld-streaming-parser';
import { Parser, Store } from 'n3';
import SHACLValidator from 'rdf-validate-shacl';

const DIRECTORY = join(process.cwd(), 'test', 'fixtures', 'dcat');
const IMPORTS = 'http://www.w3.org/2002/07/owl#imports';

/** Shape files by release, as `folder/file.ttl`. */
export function shapeFiles(): readonly string[] {
  return readdirSync(DIRECTORY, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ttl') && name !== 'background.ttl')
    .sort();
}

/** The quads of a JSON-LD text; an external context is an error. @param baseIRI of relative ids, default: none. */
export async function readJsonLd(text: string, baseIRI?: string): Promise<Store> {
  const store = new Store();
  const load = (url: string) => Promise.reject(new Error(`the context ${url} is not inline`));
  const parser = new JsonLdParser({ documentLoader: { load }, ...(baseIRI && { baseIRI }) });
  parser.on('data', (quad: Quad) => store.addQuad(quad));
  const ended = once(parser, 'end');
  parser.end(text);
  await ended;
  return store;
}

/** All findings of one shape file for the data together with `background.ttl`. */
export async function findings(data: Store, shapeFile: string) {
  const all = new Store([...data, ...readTurtle('background.ttl')]);
  const shapes = readTurtle(shapeFile).filter(({ predicate }) => predicate.value !== IMPORTS);
  const report = await new SHACLValidator(new Store(shapes)).validate(all);
  return report.results.map((result) => ({
    severity: /(?:Warning|Info)$/.exec(valueOf(result.severity))?.[0] ?? 'Violation',
    node: valueOf(result.focusNode),
    path: valueOf(result.path),
    value: valueOf(result.value),
    constraint: localName(valueOf(result.sourceConstraintComponent)),
  }));
}

/** The term's value; empty where the validator leaves the term out, which its types do not say. */
function valueOf(term: Term | null | undefined): string {
  return term?.value ?? '';
}

function readTurtle(name: string): readonly Quad[] {
  return new Parser().parse(readFileSync(join(DIRECTORY, name), 'utf8'));
}

function localName(iri: string): string {
  return iri.slice(Math.max(iri.lastIndexOf('#'), iri.lastIndexOf('/')) + 1);
}
