/** A column of numbers in fixed blocks: growth copies nothing, and unset blocks take no memory. */

const BLOCK_ROWS = 65_536;

type Numbers = Int32Array | Float64Array;

export class GrowingColumn {
  readonly #Block: new (length: number) => Numbers;
  #blocks: (Numbers | undefined)[] = [];

  constructor(Block: new (length: number) => Numbers) {
    this.#Block = Block;
  }

  get isEmpty(): boolean {
    return this.#blocks.length === 0;
  }

  set(row: number, value: number): void {
    const index = Math.floor(row / BLOCK_ROWS);
    const block = (this.#blocks[index] ??= new this.#Block(BLOCK_ROWS).fill(NaN));
    block[row % BLOCK_ROWS] = value;
  }

  /** The number of a row; NaN for an unset row of a `Float64Array` column. */
  at(row: number): number {
    return this.#blocks[Math.floor(row / BLOCK_ROWS)]?.[row % BLOCK_ROWS] ?? NaN;
  }

  clear(): void {
    this.#blocks = [];
  }
}
