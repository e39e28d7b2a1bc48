/** Browser APIs that renewal uses. Times are in milliseconds. */
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

export const browser: Environment = {
  monotonic: () => performance.now(),
  wall: () => Date.now(),
  random: () => Math.random(),
  after: (ms, action) => {
    const timer = setTimeout(action, ms);
    return () => clearTimeout(timer);
  },
  onWake: (action) => {
    for (const [target, name] of wakeUps) target.addEventListener(name, action);
    return () => {
      for (const [target, name] of wakeUps) target.removeEventListener(name, action);
    };
  },
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
