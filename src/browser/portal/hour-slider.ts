/** Moves the map through the hours of a day, whose values are in the page; a request follows when the slider stops. */
import { currentAddress } from './page-address.js';

const PLAY_MS = 400;

/** Arrow keys stop at every hour; only a pause of this length ends the move. */
const STILL_MS = 300;

/**
 * The part of the map has the class `moving` while the slider moves.
 *
 * @param changed called when the address has another hour, whose list and summary the server renders; `focused` is a
 * selector of the focused element.
 */
export function enhanceHours(changed: (focused: string) => void): void {
  const part = document.querySelector<HTMLElement>('.map-part');
  if (part === null) return;
  let playing: number | undefined;
  let settling: number | undefined;
  let isChanging = false;
  const choose = (hour: string, how: 'pushState' | 'replaceState', focused: string): void => {
    history[how](null, '', addressAt(hour));
    isChanging = true;
    changed(focused);
  };
  const stop = (): void => {
    clearInterval(playing);
    clearTimeout(settling);
    playing = undefined;
    showStopped(part);
  };
  const settle = (): void => {
    stop();
    const { option } = chosenHour(part) ?? {};
    if (option !== undefined) choose(option.value, 'replaceState', '#hour-slider');
  };
  part.addEventListener('input', ({ target }) => {
    if (!isRange(target)) return;
    // The page that is being loaded would move the slider back.
    if (isChanging) window.stop();
    isChanging = false;
    part.classList.add('moving');
    clearTimeout(settling);
    showChosenHour(part);
  });
  // A slider that returns to the hour where the drag began fires no `change`, only `pointerup`.
  for (const type of ['change', 'pointerup', 'pointercancel']) {
    part.addEventListener(type, ({ target }) => {
      if (!isRange(target) || !part.matches('.moving')) return;
      clearTimeout(settling);
      settling = window.setTimeout(settle, STILL_MS);
    });
  }
  part.addEventListener('change', ({ target }) => {
    if (!(target instanceof HTMLSelectElement)) return;
    stop();
    choose(target.value, 'pushState', `#${target.id}`);
  });
  part.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest('button[data-play]') : null;
    if (button !== null && playing === undefined) playing = play(part, button, settle);
    else if (button !== null) settle();
  });
}

function showStopped(part: HTMLElement): void {
  part.classList.remove('moving');
  part.querySelector('.map-hours button[data-play]')?.removeAttribute('aria-pressed');
}

/** Moves to the next hour repeatedly. @returns the id of the interval; undefined without hours. */
function play(part: HTMLElement, button: Element, ended: () => void): number | undefined {
  const range = part.querySelector<HTMLInputElement>('.map-hours input[type="range"]');
  if (range === null) return undefined;
  part.classList.add('moving');
  button.setAttribute('aria-pressed', 'true');
  if (range.value === range.max) range.value = '0';
  return window.setInterval(() => {
    range.value = String(Number(range.value) + 1);
    showChosenHour(part);
    if (range.value === range.max) ended();
  }, PLAY_MS);
}

/** @param hour empty: the newest hour. */
function addressAt(hour: string): URL {
  const url = currentAddress();
  if (hour === '') url.searchParams.delete('hour');
  else url.searchParams.set('hour', hour);
  return url;
}

function showChosenHour(part: HTMLElement): void {
  const chosen = chosenHour(part);
  if (chosen === undefined) return;
  const output = part.querySelector('.map-hours output');
  if (output !== null) output.textContent = chosen.option.textContent;
  chosen.range.setAttribute('aria-valuetext', chosen.option.textContent);
  for (const marker of part.querySelectorAll<SVGElement>('.marker[data-v]')) {
    showMarker(marker, chosen);
  }
}

function isRange(target: EventTarget | null): boolean {
  return target instanceof HTMLInputElement && target.type === 'range';
}

/** The chosen hour; hours are the options of the form that works without scripts, the oldest first. */
function chosenHour(part: ParentNode) {
  const range = part.querySelector<HTMLInputElement>('.map-hours input[type="range"]');
  const select = part.querySelector<HTMLSelectElement>('.map-hours select');
  const index = Number(range?.value);
  const option = select?.options[index];
  return range && option ? { range, index, option } : undefined;
}

function showMarker(
  marker: SVGElement,
  { index, range, option }: NonNullable<ReturnType<typeof chosenHour>>,
): void {
  const value = (marker.dataset['v'] ?? '').split(';')[index] ?? '';
  const color = (marker.dataset['c'] ?? '').split(' ')[index] ?? '';
  for (const name of [...marker.classList]) {
    if (/^(?:[cm]\d|k\d+-\d+|none|wind|late)$/.test(name)) marker.classList.remove(name);
  }
  marker.classList.add(value === '' ? 'none' : color === '' ? 'wind' : color);
  const wind = marker.querySelector<SVGElement>('.blow');
  if (wind !== null) turn(wind, (wind.dataset['v'] ?? '').split(';')[index]);
  const arrow = marker.querySelector<SVGElement>('.arrow');
  const title = marker.querySelector('title');
  if (title !== null) {
    const name = marker.querySelector('.name')?.textContent ?? '';
    const said = value === '' || arrow !== null ? '' : `${value} ${range.dataset['unit'] ?? ''}, `;
    title.textContent = `${name}: ${said}${option.textContent}`;
  }
  if (arrow !== null) {
    turn(arrow, value);
    return;
  }
  let text = marker.querySelector('text:not(.name)');
  if (text === null) {
    text = document.createElementNS('http://www.w3.org/2000/svg', 'text');
    marker.append(text);
  }
  text.textContent = value;
  text.classList.toggle('long', value.length > 3);
}

/** @param degrees empty hides the arrow. */
function turn(arrow: SVGElement, degrees = ''): void {
  arrow.setAttribute('transform', `rotate(${degrees === '' ? '0' : degrees})`);
  arrow.classList.toggle('hidden', degrees === '');
}
