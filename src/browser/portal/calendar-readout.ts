/** Shows the value of the calendar cell under pointer, touch or focus, since narrow cells have no room for it. */

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
    // The target of a touch event stays the element where the touch began.
    const cell = document.elementFromPoint(clientX, clientY)?.closest('td');
    return cell && isHour(cell, table) ? cell : undefined;
  };
  table.tabIndex = 0;
  table.addEventListener('keydown', (event) => {
    const step = STEPS[event.key];
    if (step === undefined || event.target !== table) return;
    event.preventDefault();
    // The first key selects the last hour.
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
    // After a touch the value stays visible.
    if (event.pointerType === 'mouse') show(undefined);
  });
}

function textOf(cell: HTMLTableCellElement, table: HTMLTableElement): string {
  const day = cell.parentElement?.querySelector('th')?.textContent.trim() ?? '';
  const names = [...cell.querySelectorAll('.visually-hidden')].map((one) => one.textContent);
  const parts = [...cell.querySelectorAll('span')].map((one) => one.textContent);
  const values = names.length > 0 ? names : parts.length > 0 ? parts : [cell.textContent];
  const unit = names.length > 0 ? '' : (table.dataset['unit'] ?? '');
  // An hour that the clock repeats has two times in one cell.
  const own = [cell, ...cell.querySelectorAll('span')].flatMap((one) => one.dataset['time'] ?? []);
  const hour = table.tHead?.rows[0]?.cells[cell.cellIndex]?.textContent ?? '';
  const time = own.length > 0 ? own.join(' / ') : `${hour}:00`;
  return `${day}, ${time}: ${values.join(' / ')} ${unit}`.trim();
}

function isHour(cell: Element, table: HTMLTableElement): boolean {
  return table.contains(cell) && cell.matches('td:not(.day-summary, .skipped, .outside)');
}

/** The next cell of an hour in a direction; skips cells without an hour. */
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
