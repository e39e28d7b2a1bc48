import type { EntityManager } from 'typeorm';
import { edgesByParent, type Paths, shortestOf, shortestPaths } from './group-paths.js';
import { findDirectGroups, findEdgesBelow } from './group-edges.queries.js';
import { findGroups } from './groups.queries.js';

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
