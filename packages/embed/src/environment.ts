/** What renewal needs of the browser. Times are milliseconds. */
export interface Environment {
  /** Since some moment; never runs backwards. */
  monotonic: () => number;
  wall: () => number;
  /** From 0 to 1. */
  random: () => number;
  /** Answers how to call it off. */
  after: (ms: number, action: () => void) => () => void;
  /** When the page may have slept, or been cut off, until now. Answers how to listen no more. */
  onWake: (action: () => void) => () => void;
}

/** Shown again, back out of the back/forward cache, thawed, connected again. */
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

/** Less is how unevenly the two clocks of a machine run. */
const SLEEP_THRESHOLD_MS = 2000;

/**
 * Time that passes while the machine sleeps, too. What the wall clock says is never believed, only how far it went: most
 * browsers' monotonic clock stands still during sleep (w3c/hr-time#115). Where somebody put the clock forward instead,
 * a token is renewed early; put back, nothing happens.
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
