/** OWASP's minimum for argon2id. Hashes below it are upgraded at the next sign-in. */
export const argon2Floor = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** Higher costs in a stored hash never come from this service; they would exhaust memory and CPU. */
const ceiling = { memoryCost: 262_144, timeCost: 10, parallelism: 16 };

const { memoryCost: m, timeCost: t, parallelism: p } = argon2Floor;

/** Verified when no account exists, so that the response takes the same time. */
export const dummyHash = `$argon2id$v=19$m=${m},t=${t},p=${p}$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA`;

const shape =
  /^\$argon2id\$v=19\$m=(\d{1,9}),t=(\d{1,9}),p=(\d{1,9})\$[A-Za-z0-9+/]{11,86}\$[A-Za-z0-9+/]{22,86}$/;

function costOf(hash: string): { memoryCost: number; timeCost: number; parallelism: number } | undefined {
  const found = shape.exec(hash);
  if (found === null) return undefined;
  const [memoryCost = 0, timeCost = 0, parallelism = 0] = found.slice(1).map(Number);
  return { memoryCost, timeCost, parallelism };
}

/** Whether the cost parameters of a stored hash are safe to compute. */
export function isWithinCostLimit(hash: string): boolean {
  const cost = costOf(hash);
  if (cost === undefined) return false;
  return (
    cost.memoryCost <= ceiling.memoryCost &&
    cost.timeCost <= ceiling.timeCost &&
    cost.parallelism <= ceiling.parallelism
  );
}

/** Whether a hash costs less than new ones. */
export function isBelowFloor(hash: string): boolean {
  const cost = costOf(hash);
  return cost === undefined || cost.memoryCost < m || cost.timeCost < t;
}
