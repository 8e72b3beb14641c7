/** Reads out the cell of the calendar that is pointed at, touched or moved to by keys: narrow screens have no room for values in cells. */

const STEPS: Readonly<Record<string, readonly [rows: number, cells: number]>> = {
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
};

export function enhanceCalendar(root: ParentNode): void {
  const table = root.querySelector<HTMLTableElement>('.calendar');
  const readout = root.querySelector('.calendar-readout');
  if (table === null || readout === null) return;
  const hours = [...(table.tHead?.rows[0]?.cells ?? [])].map(({ textContent }) => textContent);
  let read: HTMLTableCellElement | undefined;
  const show = (cell: HTMLTableCellElement | undefined): void => {
    read?.classList.remove('read');
    read = cell;
    cell?.classList.add('read');
    readout.textContent = cell === undefined ? '' : textOf(cell);
  };
  const textOf = (cell: HTMLTableCellElement): string => {
    const day = cell.parentElement?.querySelector('th')?.textContent.trim() ?? '';
    // A direction has an arrow for the eye beside its name.
    const names = [...cell.querySelectorAll('.visually-hidden')].map((one) => one.textContent);
    const parts = [...cell.querySelectorAll('span')].map((one) => one.textContent);
    const values = names.length > 0 ? names : parts.length > 0 ? parts : [cell.textContent];
    const unit = names.length > 0 ? '' : (table.dataset['unit'] ?? '');
    // One that the clock shows twice has two times.
    const own = [cell, ...cell.querySelectorAll('span')].flatMap(
      (one) => one.dataset['time'] ?? [],
    );
    const time = own.length > 0 ? own.join(' / ') : `${hours[cell.cellIndex] ?? ''}:00`;
    return `${day}, ${time}: ${values.join(' / ')} ${unit}`.trim();
  };
  const cellAt = ({ clientX, clientY }: PointerEvent): HTMLTableCellElement | undefined => {
    // The target of a touch is where it has begun.
    const cell = document.elementFromPoint(clientX, clientY)?.closest('td');
    return cell && isHour(cell) ? cell : undefined;
  };
  const isHour = (cell: Element): boolean =>
    table.contains(cell) && cell.matches('td:not(.day-summary, .skipped, .outside)');
  /** The next hour in a direction, beyond those that there are not; before the first key the last hour of all. */
  const stepFrom = (from: HTMLTableCellElement, [rows, cells]: readonly [number, number]) => {
    let row = from.closest('tr')?.rowIndex ?? 0;
    let at = from.cellIndex;
    for (;;) {
      row += rows;
      at += cells;
      const cell = table.rows[row]?.cells[at];
      if (cell === undefined || isHour(cell)) return cell;
    }
  };
  table.tabIndex = 0;
  table.addEventListener('keydown', (event) => {
    const step = STEPS[event.key];
    if (step === undefined || event.target !== table) return;
    event.preventDefault();
    const last = [...table.querySelectorAll('td')].filter(isHour).at(-1);
    const cell = read === undefined ? last : stepFrom(read, step);
    if (cell === undefined) return;
    show(cell);
    cell.scrollIntoView({ block: 'nearest' });
  });
  table.addEventListener('blur', () => {
    show(undefined);
  });
  for (const type of ['pointerover', 'pointermove'] as const) {
    table.addEventListener(type, (event) => {
      show(cellAt(event));
    });
  }
  table.addEventListener('pointerleave', (event) => {
    // After a touch the value stays.
    if (event.pointerType === 'mouse') show(undefined);
  });
}
