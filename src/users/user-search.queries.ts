// SQL, because it ranks names and addresses.
import type { EntityManager } from 'typeorm';
import { execute, Parameters } from '../core/database/execute.js';
import { nameKeyOf } from '../core/lists/fold-name.js';
import { NameRank, type Rank } from '../core/lists/name-rank.js';
import { matchesPerson } from '../core/lists/person-search.js';
import type { User } from './user.entity.js';
import { emailOf } from './users.queries.js';

export type FoundUser = Pick<User, 'id' | 'name' | 'email'> & { rank: Rank };

/** The people whose name or email address matches best. */
export async function searchUsers(manager: EntityManager, q: string, limit: number): Promise<FoundUser[]> {
  const parameters = new Parameters();
  const name = new NameRank(q, parameters);
  const key = nameKeyOf('name');
  const isFound = matchesPerson(q, { name: key, email: emailOf() }, (value) => parameters.add(value));
  const { rows } = await execute<FoundUser>(
    manager,
    `SELECT id, name, email, least(${name.rank(key)}, ${name.rank('email')}) AS rank FROM users
     WHERE kind = 'person' AND removed_at IS NULL AND ${isFound}
     ORDER BY rank, ${key}, id LIMIT ${parameters.add(limit)}`,
    parameters.values,
    false,
  );
  return rows;
}
