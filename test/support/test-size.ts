/** With TEST_SIZE=full everything that is generated or measured has its full size. */
export const isFull = process.env.TEST_SIZE === 'full';

const LIMIT_MS = isFull ? 600_000 : 120_000;

/**
 * Of fast-check, whose search for a smaller counterexample has no limit of its own. Usually the same models are tested each time, and
 * fewer of them on a slow machine, so that a change fails only by its own defects; in full size others each time, and all of them.
 */
export const propertyLimits = {
  interruptAfterTimeLimit: LIMIT_MS,
  markInterruptAsFailure: isFull,
  ...(!isFull && { seed: 1 }),
};

/** For a test with `propertyLimits`, which fail first: they name the counterexample. */
export const PROPERTY_TIMEOUT_MS = LIMIT_MS + 60_000;

/** A property with many models is tested in parts, each with its own limit. */
export const parts = isFull ? [1, 2, 3, 4] : [1];
