import type { NamedEdge } from './group-edges.queries.js';

/** Names of the groups on the way down from one group to another, without the first and with the last. */
export type Paths = ReadonlyMap<string, readonly string[]>;

/** Edges by the group that contains the other one. */
type Edges = ReadonlyMap<string, readonly NamedEdge[]>;

export const edgesByParent = (edges: readonly NamedEdge[]): Edges =>
  Map.groupBy(edges, ({ parent }) => parent);

/** The shortest path to each group below `root`, by the edges below it. The path to `root` is empty. */
export function shortestPaths(root: string, below: Edges): Paths {
  const paths = new Map<string, readonly string[]>([[root, []]]);
  // The iteration includes the groups that it adds, so that groups are visited level by level.
  for (const [group, path] of paths) {
    for (const { id, name } of below.get(group) ?? []) if (!paths.has(id)) paths.set(id, [...path, name]);
  }
  return paths;
}

/** The shortest of the paths to these groups; empty if there is none. */
export function shortestOf(paths: Paths, groups: readonly string[]): readonly string[] {
  const found = groups.map((group) => paths.get(group)).filter((path) => path !== undefined);
  return found.toSorted((a, b) => a.length - b.length || (a.join('\n') < b.join('\n') ? -1 : 1))[0] ?? [];
}
