/** `scales.json`: the operator's colours for values of components (docs/translating.md, "Scales"). */
import * as members from './operator.js';
import { operatorTexts, readText } from './text-files.js';

export const SCALES_FILE = 'scales.json';

/** A scale of some components, by the file's members. */
export interface Scale {
  readonly components: readonly string[];
  readonly source: string;
  readonly date?: string;
  readonly steps: readonly {
    /** The lowest value, in the unit of the component. */
    readonly from: number;
    readonly color: string;
    readonly dark_color?: string;
    readonly name?: members.Texts;
  }[];
}

const COLOR = members.text('a colour such as #50f0e6', (color) => /^#[\da-f]{6}$/i.test(color));

const STEP = {
  from: { expected: 'a number', fits: Number.isFinite, isRequired: true },
  color: { ...COLOR, isRequired: true },
  dark_color: COLOR,
  name: members.TEXTS,
} satisfies members.Members & Record<keyof Scale['steps'][number], unknown>;

const SCALE = {
  components: { ...members.list('codes of components, each once', Boolean), isRequired: true },
  source: { ...members.text('a text', (source) => source.trim() !== ''), isRequired: true },
  date: members.text('a date such as 2024-10-01', (date) => /^\d{4}(?:-\d\d){0,2}$/.test(date)),
  steps: { items: STEP },
} satisfies members.Members & Record<keyof Scale, unknown>;
const FILE = { '': { items: SCALE } };

let read: readonly Scale[] | undefined;

/** The operator's scales; empty without `scales.json`. */
export function ownScales(): readonly Scale[] {
  return (read ??= parseScales(readText([operatorTexts()], SCALES_FILE) ?? '').scales);
}

/** @returns no scales for a file with problems. */
export function parseScales(text: string) {
  const { value, problems } = members.parseJson(text, (parsed) =>
    areScales(parsed) ? parsed.flatMap(notAscending) : members.problemsOf({ '': parsed }, FILE),
  );
  return { scales: problems.length === 0 && areScales(value) ? value : [], problems };
}

const areScales = (value: unknown): value is readonly Scale[] =>
  members.problemsOf({ '': value }, FILE).length === 0;

function notAscending({ steps }: Scale, scale: number): readonly members.Problem[] {
  return steps.flatMap(({ from }, at): readonly members.Problem[] => {
    const before = steps[at - 1]?.from ?? -Infinity;
    const problem = `expected more than ${before}, found ${from}`;
    return from > before ? [] : [[`[${scale}].steps[${at}].from`, problem, from]];
  });
}
