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
  let read: HTMLTableCellElement | undefined;
  const show = (cell: HTMLTableCellElement | undefined): void => {
    read?.classList.remove('read');
    read = cell;
    cell?.classList.add('read');
    readout.textContent = cell === undefined ? '' : textOf(cell, table);
  };
  const cellAt = ({ clientX, clientY }: PointerEvent): HTMLTableCellElement | undefined => {
    // The target of a touch is where it has begun.
    const cell = document.elementFromPoint(clientX, clientY)?.closest('td');
    return cell && isHour(cell, table) ? cell : undefined;
  };
  table.tabIndex = 0;
  table.addEventListener('keydown', (event) => {
    const step = STEPS[event.key];
    if (step === undefined || event.target !== table) return;
    event.preventDefault();
    // Before the first key it is the last hour of all.
    const last = [...table.querySelectorAll('td')].findLast((one) => isHour(one, table));
    const cell = read === undefined ? last : stepFrom(read, step, table);
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

/** The text that is read out: day, time and value of a cell. */
function textOf(cell: HTMLTableCellElement, table: HTMLTableElement): string {
  const day = cell.parentElement?.querySelector('th')?.textContent.trim() ?? '';
  // A direction has an arrow for the eye beside its name.
  const names = [...cell.querySelectorAll('.visually-hidden')].map((one) => one.textContent);
  const parts = [...cell.querySelectorAll('span')].map((one) => one.textContent);
  const values = names.length > 0 ? names : parts.length > 0 ? parts : [cell.textContent];
  const unit = names.length > 0 ? '' : (table.dataset['unit'] ?? '');
  // A cell whose hour the clock shows twice has two times.
  const own = [cell, ...cell.querySelectorAll('span')].flatMap((one) => one.dataset['time'] ?? []);
  const hour = table.tHead?.rows[0]?.cells[cell.cellIndex]?.textContent ?? '';
  const time = own.length > 0 ? own.join(' / ') : `${hour}:00`;
  return `${day}, ${time}: ${values.join(' / ')} ${unit}`.trim();
}

/** Whether it is the cell of an hour that the interval has. */
function isHour(cell: Element, table: HTMLTableElement): boolean {
  return table.contains(cell) && cell.matches('td:not(.day-summary, .skipped, .outside)');
}

/** The next hour in a direction, beyond those that there are not. */
function stepFrom(
  from: HTMLTableCellElement,
  [rows, cells]: readonly [number, number],
  table: HTMLTableElement,
): HTMLTableCellElement | undefined {
  let row = from.closest('tr')?.rowIndex ?? 0;
  let at = from.cellIndex;
  for (;;) {
    row += rows;
    at += cells;
    const cell = table.rows[row]?.cells[at];
    if (cell === undefined || isHour(cell, table)) return cell;
  }
}
