// SQL, because it ranks names.
import type { EntityManager } from 'typeorm';
import { execute, Parameters } from '../core/database/execute.js';
import type { Principal } from '../core/http/principal.js';
import { NameRank, type Rank } from '../core/lists/name-rank.js';
import { visibleWorkspaces } from './workspaces.queries.js';
import type { Workspace } from './workspace.entity.js';

export type FoundWorkspace = Pick<Workspace, 'id' | 'name'> & { rank: Rank };

interface WorkspaceSearch {
  caller: Principal;
  now: Date;
  q: string;
  limit: number;
}

/** The workspaces that the caller may see whose names match best. */
export async function searchWorkspaces(
  manager: EntityManager,
  { caller, now, q, limit }: WorkspaceSearch,
): Promise<FoundWorkspace[]> {
  const parameters = new Parameters();
  const visible = visibleWorkspaces(caller, now, parameters);
  const name = new NameRank(q, parameters);
  const { rows } = await execute<FoundWorkspace>(
    manager,
    `${visible} SELECT id, name, ${name.rank('name_key')} AS rank FROM visible
     WHERE ${name.matches('name_key')} ORDER BY rank, name_key, id LIMIT ${parameters.add(limit)}`,
    parameters.values,
    false,
  );
  return rows;
}
