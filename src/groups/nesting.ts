import type { Nesting } from './group-repair.queries.js';

/** Orders groups so that each comes after the groups in it. Groups on a cycle, and those around them, are in `cyclic`. */
export function innerFirst(
  groups: readonly string[],
  nesting: readonly Nesting[],
): { ordered: string[]; cyclic: string[] } {
  const outerOf = Map.groupBy(nesting, ({ inner }) => inner);
  const waiting = new Map(groups.map((id) => [id, 0]));
  for (const { outer } of nesting) waiting.set(outer, (waiting.get(outer) ?? 0) + 1);
  const ordered = groups.filter((id) => waiting.get(id) === 0);
  // The iteration includes the groups that it adds.
  for (const id of ordered) {
    for (const { outer } of outerOf.get(id) ?? []) {
      const left = (waiting.get(outer) ?? 0) - 1;
      waiting.set(outer, left);
      if (left === 0) ordered.push(outer);
    }
  }
  const done = new Set(ordered);
  return { ordered, cyclic: groups.filter((id) => !done.has(id)) };
}

/** These groups and all groups that contain them. */
export function upwards(
  start: readonly string[],
  outerOf: ReadonlyMap<string, readonly Nesting[]>,
): Set<string> {
  const reached = new Set(start);
  for (const id of reached) for (const { outer } of outerOf.get(id) ?? []) reached.add(outer);
  return reached;
}
