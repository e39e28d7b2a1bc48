// SQL, because it walks edges below a subquery of groups.
import { Any, type EntityManager } from 'typeorm';
import { execute } from '../../core/database/execute.js';
import { GroupEdge } from './group.entity.js';
import { findGroups, groupsOf, type NamedGroup } from './groups.queries.js';

/**
 * Bounds the chains of one response: groups that contain each other in many ways have exponentially many. Every group
 * keeps its shortest chain.
 */
const MAX_CHAINS = 1000;
/** Bounds the edges that one response reads. */
const MAX_EDGES = 10_000;

/**
 * Chains of groups by the id of their outermost group: from that group inwards, the shortest first. They are for display
 * only: which groups contain a user is in `group_members_all`. A group without a known chain has one of itself.
 */
export type Chains = ReadonlyMap<string, NamedGroup[][]>;

interface Edge {
  outer: string;
  inner: string;
}

/** Which groups a chain may contain: a subquery of ids and the value of its placeholder `$2`. */
interface Within {
  sql: string;
  value: unknown;
}

/**
 * Returns chains from each of these groups, which contain the user, to the one that contains the user directly: the
 * shortest of each group, and others up to `max` in total.
 */
export async function findGroupChains(
  manager: EntityManager,
  userId: string,
  groups: readonly string[],
  max = MAX_CHAINS,
): Promise<Chains> {
  const edges = await findEdges(manager, groups, { sql: groupsOf('$2'), value: userId });
  const among = [...new Set([...groups, ...edges.map(({ inner }) => inner)])];
  const direct = await manager.findBy(GroupEdge, { group: Any(among), user: userId });
  const start = [...new Set(direct.map(({ group }) => group))];
  return named(manager, groups, walkChains(start, edges, max));
}

/** Returns the shortest chain from each of these groups to `group`. All of them are among `outer`, which contain `group`. */
export async function findOuterChains(
  manager: EntityManager,
  group: string,
  outer: readonly string[],
  groups: readonly string[],
): Promise<Chains> {
  const edges = await findEdges(manager, groups, { sql: 'SELECT unnest($2::uuid[])', value: outer });
  return named(manager, groups, walkChains([group], edges, 0));
}

/** The edges below these groups. Level by level, as the closure does. */
async function findEdges(manager: EntityManager, groups: readonly string[], within: Within): Promise<Edge[]> {
  const edges: Edge[] = [];
  const reached = new Set(groups);
  for (let level = [...reached]; level.length > 0 && edges.length < MAX_EDGES;) {
    const { rows } = await execute<Edge>(
      manager,
      `SELECT DISTINCT group_id AS "outer", member_group_id AS "inner" FROM group_edges
       WHERE group_id = ANY($1::uuid[]) AND member_group_id IS NOT NULL AND member_group_id IN (${within.sql})
       LIMIT ${MAX_EDGES}`,
      [level, within.value],
    );
    edges.push(...rows);
    level = [...new Set(rows.map(({ inner }) => inner))].filter((id) => !reached.has(id));
    for (const id of level) reached.add(id);
  }
  return edges;
}

/** Chains from these groups outwards, these included: the shortest of every group, and others up to `max` in total. */
function walkChains(start: readonly string[], edges: readonly Edge[], max: number): string[][] {
  const containing = Map.groupBy(edges, ({ inner }) => inner);
  const found: string[][] = [];
  const reached = new Set(start);
  const isFirst = (group: string): boolean => reached.size < reached.add(group).size;
  for (let level = start.map((id) => [id]); level.length > 0;) {
    found.push(...level);
    const room = max - found.length;
    level = level
      .flatMap((chain) =>
        (containing.get(chain[0] ?? '') ?? [])
          .filter(({ outer }) => !chain.includes(outer))
          .map(({ outer }) => [outer, ...chain]),
      )
      .filter(([outermost = ''], index) => isFirst(outermost) || index < room);
  }
  return found;
}

async function named(
  manager: EntityManager,
  groups: readonly string[],
  found: readonly string[][],
): Promise<Chains> {
  const chains = Map.groupBy(found, ([outermost]) => outermost);
  const wanted = groups.map((id) => [id, chains.get(id) ?? [[id]]] as const);
  const ids = wanted.flatMap(([, of]) => of.flat());
  const names = new Map((await findGroups(manager, [...new Set(ids)])).map(({ id, name }) => [id, name]));
  return new Map(
    wanted.map(([group, of]) => [
      group,
      of.map((chain) => chain.map((id) => ({ id, name: names.get(id) ?? '' }))),
    ]),
  );
}
