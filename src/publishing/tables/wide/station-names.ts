/** Finds the station that a cell means: by the id, the code or the name that `stations.csv` has for it. */

export class StationNames {
  /** Id by text; `undefined` where several stations share the text. */
  readonly #ids = new Map<string, number | undefined>();
  readonly #all = new Set<number>();

  /** `stations`: as JSON text. */
  constructor(stations: readonly string[]) {
    for (const text of stations) {
      const station = JSON.parse(text) as Record<string, unknown>;
      const id = Number(station['station_id']);
      this.#all.add(id);
      this.#add(String(id), id);
      for (const name of ['station_code', 'station_name']) {
        const value = station[name];
        if (typeof value === 'string') this.#add(value.trim(), id);
      }
    }
  }

  #add(name: string, id: number): void {
    if (name === '') return;
    this.#ids.set(name, this.#ids.has(name) && this.#ids.get(name) !== id ? undefined : id);
  }

  /** The id of the only station there is, if it is the only one. */
  only(): number | undefined {
    const [only, ...others] = this.#all;
    return others.length === 0 ? only : undefined;
  }

  /** A station's id, or why there is none. */
  find(cell: string): number | string {
    const name = cell.trim();
    const id = this.#ids.get(name);
    if (id !== undefined) return id;
    return this.#ids.has(name)
      ? 'several stations have this as their id, code or name'
      : 'no station has this id, code or name';
  }
}
