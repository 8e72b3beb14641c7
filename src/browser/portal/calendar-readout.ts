/** Reads out the cell of the calendar that is pointed at or touched: narrow screens have no room for values in cells. */

export function enhanceCalendar(root: ParentNode): void {
  const table = root.querySelector<HTMLTableElement>('.calendar');
  const readout = root.querySelector('.calendar-readout');
  if (table === null || readout === null) return;
  const hours = [...(table.tHead?.rows[0]?.cells ?? [])].map(({ textContent }) => textContent);
  let read: Element | undefined;
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
    return !cell || !table.contains(cell) || cell.matches('.day-summary, .skipped, .outside')
      ? undefined
      : cell;
  };
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
