const comparisons = {
  eq: (one: string, other: string) => one === other,
  ne: (one: string, other: string) => one !== other,
  gt: (one: string, other: string) => one > other,
  ge: (one: string, other: string) => one >= other,
  lt: (one: string, other: string) => one < other,
  le: (one: string, other: string) => one <= other,
};

export function isComparison(operator: string): operator is keyof typeof comparisons {
  return Object.hasOwn(comparisons, operator);
}

/** Texts are compared without regard to case; values of different kinds have no order. */
export function compare(operator: keyof typeof comparisons, one: unknown, other: unknown): boolean {
  const texts = typeof one === 'string' && typeof other === 'string';
  const [left, right] = texts ? [one.toLowerCase(), other.toLowerCase()] : [one, other];
  const isOrder = operator !== 'eq' && operator !== 'ne';
  if (isOrder && !texts && !(typeof one === 'number' && typeof other === 'number')) return false;
  return comparisons[operator](left as string, right as string);
}
