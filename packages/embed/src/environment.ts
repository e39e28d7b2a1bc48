import { randomId } from './random-id.js';

/** Browser APIs that renewal and usage reporting use. Times are in milliseconds. */
export interface Environment {
  /** Time since an arbitrary origin; never decreases. */
  monotonic: () => number;
  wall: () => number;
  /** From 0 to 1. */
  random: () => number;
  /** Runs `action` after `ms`. Returns a function that cancels it. */
  after: (ms: number, action: () => void) => () => void;
  /** Runs `action` when the page may have been suspended or offline. Returns a function that removes the listener. */
  onWake: (action: () => void) => () => void;
  isVisible: () => boolean;
  /** Runs `action` when the page is shown or hidden; a hidden page may not run again. Returns a function that removes the listener. */
  onVisibility: (action: (isVisible: boolean) => void) => () => void;
  /** A random UUID. */
  uuid: () => string;
}

/** Visible again, resumed after freezing, restored from the back/forward cache, online again. */
const wakeUps: [EventTarget, string][] =
  typeof document === 'undefined'
    ? []
    : [
        [document, 'visibilitychange'],
        [document, 'resume'],
        [window, 'pageshow'],
        [window, 'online'],
      ];

/** Hidden, shown, left, restored from the back/forward cache. */
const visibilityChanges: [EventTarget, string][] =
  typeof document === 'undefined'
    ? []
    : [
        [document, 'visibilitychange'],
        [window, 'pagehide'],
        [window, 'pageshow'],
      ];

/** True where there is no document. */
const isVisible = (): boolean => globalThis.document?.visibilityState !== 'hidden';

/** Adds the listener to each target. Returns a function that removes it. */
function listen(events: readonly [EventTarget, string][], listener: (event: Event) => void): () => void {
  for (const [target, name] of events) target.addEventListener(name, listener);
  return () => {
    for (const [target, name] of events) target.removeEventListener(name, listener);
  };
}

export const browser: Environment = {
  monotonic: () => performance.now(),
  wall: () => Date.now(),
  random: () => Math.random(),
  after: (ms, action) => {
    const timer = setTimeout(action, ms);
    return () => clearTimeout(timer);
  },
  onWake: (action) => listen(wakeUps, () => action()),
  isVisible,
  onVisibility: (action) =>
    listen(visibilityChanges, ({ type }) => action(type !== 'pagehide' && isVisible())),
  uuid: () => randomId(crypto),
};

/** Smaller differences are drift between the two clocks. */
const SLEEP_THRESHOLD_MS = 2000;

/**
 * A clock that includes time in which the machine sleeps, when most browsers' monotonic clock stops (w3c/hr-time#115).
 * Only differences of the wall clock are used: setting it forward renews a token early, setting it back has no effect.
 */
export function sleepAwareClock({ monotonic, wall }: Environment): () => number {
  let last = { monotonic: monotonic(), wall: wall() };
  let slept = 0;
  return () => {
    const now = { monotonic: monotonic(), wall: wall() };
    const apart = now.wall - last.wall - (now.monotonic - last.monotonic);
    if (apart > SLEEP_THRESHOLD_MS) slept += apart;
    last = now;
    return now.monotonic + slept;
  };
}
