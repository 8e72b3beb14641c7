/** Finds the station or the component that a cell means: by its id, its code or its name. */

const MEMBERS = {
  station: { id: 'station_id', names: ['station_code', 'station_name'] },
  component: { id: 'component_id', names: ['short_name'] },
} as const;

export class Names {
  readonly #kind: keyof typeof MEMBERS;
  /** Id by text; `undefined` where several share the text. */
  readonly #ids = new Map<string, number | undefined>();
  readonly #all = new Set<number>();

  /** `elements`: as JSON text. */
  constructor(kind: keyof typeof MEMBERS, elements: readonly string[]) {
    this.#kind = kind;
    const { id: member, names } = MEMBERS[kind];
    for (const text of elements) {
      const element = JSON.parse(text) as Record<string, unknown>;
      const id = Number(element[member]);
      this.#all.add(id);
      this.#add(String(id), id);
      for (const name of names) {
        const value = element[name];
        if (typeof value === 'string') this.#add(value.trim(), id);
      }
    }
  }

  #add(name: string, id: number): void {
    if (name === '') return;
    this.#ids.set(name, this.#ids.has(name) && this.#ids.get(name) !== id ? undefined : id);
  }

  /** The id of the only one there is, if it is the only one. */
  only(): number | undefined {
    const [only, ...others] = this.#all;
    return others.length === 0 ? only : undefined;
  }

  /** The id, or why there is none. */
  find(cell: string): number | string {
    const name = cell.trim();
    const id = this.#ids.get(name);
    if (id !== undefined) return id;
    return this.#ids.has(name)
      ? `several ${this.#kind}s have this as their id, code or name`
      : `no ${this.#kind} has this id, code or name`;
  }
}
