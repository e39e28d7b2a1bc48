import type { Nesting } from './group-repair.queries.js';

/** The groups on a cycle, and those around them. */
export function cyclicAmong(groups: readonly string[], nesting: readonly Nesting[]): string[] {
  const outerOf = Map.groupBy(nesting, ({ inner }) => inner);
  const waiting = new Map(groups.map((id) => [id, 0]));
  for (const { outer } of nesting) waiting.set(outer, (waiting.get(outer) ?? 0) + 1);
  const ordered = new Set(groups.filter((id) => waiting.get(id) === 0));
  // The iteration includes the groups that it adds: each comes after the groups in it.
  for (const id of ordered) {
    for (const { outer } of outerOf.get(id) ?? []) {
      const left = (waiting.get(outer) ?? 0) - 1;
      waiting.set(outer, left);
      if (left === 0) ordered.add(outer);
    }
  }
  return groups.filter((id) => !ordered.has(id));
}
