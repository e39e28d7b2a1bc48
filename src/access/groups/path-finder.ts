import type { EntityManager } from 'typeorm';
import { findDirectGroups, findEdgesBelow, type NamedEdge } from './group-edges.queries.js';
import { findGroups } from './groups.queries.js';

/** Names of the groups on the way down from one group to another, without the first and with the last. */
type Paths = ReadonlyMap<string, readonly string[]>;

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
function shortestOf(paths: Paths, groups: readonly string[]): readonly string[] {
  const found = groups.map((group) => paths.get(group)).filter((path) => path !== undefined);
  return found.toSorted((a, b) => a.length - b.length || (a.join('\n') < b.join('\n') ? -1 : 1))[0] ?? [];
}

/** Names the groups between a group that holds a grant and the people in it. Loads each group once, all groups in one statement. */
export class PathFinder {
  private readonly names = new Map<string, string>();
  private readonly below = new Map<string, Paths>();
  private direct: ReadonlyMap<string, readonly string[]> = new Map();

  constructor(private readonly manager: EntityManager) {}

  /** Prepares `pathOf` for these people, in place of those before, and these groups. */
  async load(users: readonly string[], groups: readonly string[]): Promise<void> {
    const added = [...new Set(groups)].filter((id) => !this.below.has(id));
    const named = added.length === 0 ? [] : await findGroups(this.manager, added);
    for (const { id, name } of named) this.names.set(id, name);
    const below = edgesByParent(added.length === 0 ? [] : await findEdgesBelow(this.manager, added));
    for (const id of added) this.below.set(id, shortestPaths(id, below));
    const edges = await findDirectGroups(this.manager, users);
    const byUser = Map.groupBy(edges, ({ user }) => user);
    this.direct = new Map([...byUser].map(([user, own]) => [user, own.map(({ group }) => group)]));
  }

  /** Names from the group to the one that contains the user directly; empty without a group. */
  pathOf(user: string, group: string | null): string[] {
    if (group === null) return [];
    const rest = shortestOf(this.below.get(group) ?? new Map(), this.direct.get(user) ?? []);
    return [this.names.get(group) ?? '', ...rest];
  }
}
