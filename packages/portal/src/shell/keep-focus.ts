/** An element that had focus, and what it was in: focus goes there when the element disappears. */
interface Place {
  element: HTMLElement;
  containers: HTMLElement[];
  wasDisabled?: boolean;
}

const popups = '[role=dialog], [role=menu]';
const containers = `section, main, ${popups}`;

/** What had focus before each dialog, drawer and menu. */
const openers = new WeakMap<Element, Place | undefined>();
let current: Place | undefined;
let isOpening = false;

function placeOf(element: HTMLElement): Place {
  const found: HTMLElement[] = [];
  let each = element.closest<HTMLElement>(containers);
  while (each !== null) {
    found.push(each);
    each = each.parentElement?.closest<HTMLElement>(containers) ?? null;
  }
  return { element, containers: found };
}

/** Headings take focus by script only: Tab passes them. */
function focusOn(target: HTMLElement): void {
  target.focus({ preventScroll: true });
  if (document.activeElement === target) return;
  target.tabIndex = -1;
  target.focus({ preventScroll: true });
}

const pageHeading = (): HTMLElement | null =>
  document.querySelector<HTMLElement>('main h1') ?? document.querySelector<HTMLElement>('main');

const headingIn = (container: HTMLElement): HTMLElement | null =>
  container.tagName === 'MAIN'
    ? pageHeading()
    : (container.querySelector<HTMLElement>('h1, h2, h3') ?? container);

const isUsable = (element: HTMLElement): boolean =>
  element.isConnected && !element.matches(':disabled') && element.checkVisibility();

/** The same field of a page that was mounted again, in another language or time zone, if the field has an id of its own. */
function renewed({ element }: Place): HTMLElement | null {
  if (element.isConnected || element.id === '') return null;
  const found = document.getElementById(element.id);
  return found !== null && isUsable(found) ? found : null;
}

/** The element itself, else the heading of what it was in, else what opened that. */
function standIn(place: Place): HTMLElement | null {
  const { element, containers } = place;
  if (isUsable(element)) return element;
  const again = renewed(place);
  if (again !== null) return again;
  for (const container of containers) {
    if (container.isConnected) return headingIn(container);
    const opener = openers.get(container);
    if (opener !== undefined) return standIn(opener);
  }
  return pageHeading();
}

function enter(target: EventTarget | null): void {
  if (!(target instanceof HTMLElement)) return;
  const popup = target.closest(popups);
  // At the first entry, also without an opener: what is inside never becomes its own opener.
  if (popup !== null && !openers.has(popup)) openers.set(popup, current);
  current = placeOf(target);
}

/** A press beside every control takes focus away on purpose; Safari gives a pressed button none. */
function press({ target }: PointerEvent): void {
  const control = target instanceof Element ? target.closest<HTMLElement>('button, a[href]') : null;
  setTimeout(() => {
    const active = document.activeElement;
    const has = active instanceof HTMLElement && active !== document.body ? active : control;
    if (has === null) current = undefined;
    else if (has !== current?.element) enter(has);
  });
}

function restore(): void {
  focusOpened();
  const active = document.activeElement;
  if (current === undefined || (active !== null && active !== document.body && !active.matches(':disabled')))
    return;
  const { element } = current;
  if (element.matches(':disabled')) current.wasDisabled = true;
  // A button that is busy comes back.
  if (element.isConnected && element.hasAttribute('data-loading')) return;
  // Blurred by a script, which is its own affair.
  if (isUsable(element) && current.wasDisabled !== true) return;
  const next = standIn(current);
  if (next !== null) focusOn(next);
}

/**
 * Focus that a removed element would leave to the body goes to what opened its dialog, else to the nearest heading.
 * Mantine's own return misses every dialog that is mounted open, and what its action removes.
 */
export function keepFocus(): void {
  document.addEventListener('focusin', ({ target }) => enter(target));
  document.addEventListener('pointerdown', press, { capture: true });
  new MutationObserver(restore).observe(document.body, {
    childList: true,
    subtree: true,
    attributeFilter: ['disabled'],
  });
}

/** A page that is still loading gets focus with its heading. A field of it that has focus already keeps it. */
function focusOpened(): void {
  const heading = document.querySelector<HTMLElement>('main h1');
  if (!isOpening || heading === null) return;
  isOpening = false;
  const isInside = document.activeElement?.matches('main *, [role=dialog], [role=dialog] *') === true;
  if (!isInside) focusOn((current && renewed(current)) ?? heading);
}

/** For a page that was opened in this tab. One that the browser loaded begins with the skip link: nothing had focus yet. */
export function focusPage(): void {
  isOpening ||= current !== undefined;
  focusOpened();
}

/** Before a page that continues what the user began on another site: it begins with its heading. */
export function focusNextPage(): void {
  isOpening = true;
}
