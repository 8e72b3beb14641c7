/** A column that most documents have nothing in: it takes memory only where there is something. */

const BLOCK_ROWS = 65_536;

export class SparseColumn {
  #blocks: (Float64Array | undefined)[] = [];

  get isEmpty(): boolean {
    return this.#blocks.length === 0;
  }

  set(row: number, value: number): void {
    const index = Math.floor(row / BLOCK_ROWS);
    const block = (this.#blocks[index] ??= new Float64Array(BLOCK_ROWS).fill(NaN));
    block[row % BLOCK_ROWS] = value;
  }

  /** NaN where nothing was set. */
  at(row: number): number {
    return this.#blocks[Math.floor(row / BLOCK_ROWS)]?.[row % BLOCK_ROWS] ?? NaN;
  }

  clear(): void {
    this.#blocks = [];
  }
}
