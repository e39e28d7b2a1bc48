// SQL, because a filter of the client determines the condition, and names are compared by an index.
import { Any, type EntityManager, type FindOptionsWhere, IsNull, LessThan, Not } from 'typeorm';
import { queryRows } from '../core/database/execute.js';
import { type Offset, type OffsetCondition, offsetPage } from '../core/lists/offset-page.js';
import { User } from './user.entity.js';

/** A person as SCIM clients see it. */
export type ScimUser = Pick<User, 'id' | 'externalId' | 'name' | 'email' | 'role' | 'status' | 'attributes'> &
  Pick<User, 'givenName' | 'familyName' | 'createdAt' | 'hasScimEmail'> & {
    userName: string;
    updatedAt: Date;
  };

const columns = `id, coalesce(user_name, email) AS "userName", external_id AS "externalId", given_name AS "givenName",
  family_name AS "familyName", name, email, role, status, attributes, created_at AS "createdAt",
  coalesce(updated_at, created_at) AS "updatedAt", has_scim_email AS "hasScimEmail"`;

const isVisible = `kind = 'person' AND removed_at IS NULL AND scim_deleted_at IS NULL`;

const existing = { kind: 'person', removedAt: IsNull() } as const;
const visible = { ...existing, scimDeletedAt: IsNull() } as const;

const asScim = (user: User | null): ScimUser | undefined =>
  user === null
    ? undefined
    : { ...user, userName: user.userName ?? user.email, updatedAt: user.updatedAt ?? user.createdAt };

/**
 * SQL condition: whether a person has this user name, by the indexes of user names and email addresses. The address of a
 * person without a user name counts unless it is the user name of another one: clients expect one person at most.
 */
export const hasUserName = (name: string): string =>
  `lower(user_name) = lower(${name}) OR (user_name IS NULL AND email = lower(${name})
    AND NOT EXISTS (SELECT FROM users WHERE lower(user_name) = lower(${name}) AND ${isVisible}))`;

/** One page of people in the order of their creation, and the number of all that match. */
export const listScimUsers = (
  manager: EntityManager,
  condition: OffsetCondition,
  page: Offset,
): Promise<{ total: number; items: ScimUser[] }> =>
  offsetPage(manager, { columns, from: `FROM users WHERE ${isVisible}`, condition }, page);

export const findScimUser = async (manager: EntityManager, id: string): Promise<ScimUser | undefined> =>
  asScim(await manager.findOneBy(User, { id, ...visible }));

/** Returns those of these ids that are people who exist for SCIM. */
export async function findScimPeople(manager: EntityManager, ids: readonly string[]): Promise<string[]> {
  const found = await manager.find(User, { where: { id: Any([...ids]), ...visible }, select: { id: true } });
  return found.map(({ id }) => id);
}

/** SQL condition on a column of user ids: not a person whom SCIM deleted and who is not erased yet. */
export const isNotDeletedByScim = (userId: string): string =>
  `(${userId} IS NULL OR ${userId} NOT IN (SELECT id FROM users WHERE scim_deleted_at IS NOT NULL))`;

/** Locks a person that exists for SCIM. */
export const lockScimUser = (tx: EntityManager, id: string): Promise<ScimUser | undefined> =>
  lock(tx, { id, ...visible });

/** Locks a person whom SCIM deleted. */
export const lockDeletedScimUser = (tx: EntityManager, id: string): Promise<ScimUser | undefined> =>
  lock(tx, { id, ...existing, scimDeletedAt: Not(IsNull()) });

const lock = async (tx: EntityManager, where: FindOptionsWhere<User>): Promise<ScimUser | undefined> =>
  asScim(await tx.findOne(User, { where, lock: { mode: 'pessimistic_write' } }));

interface SameName {
  id: string;
  /** Whether SCIM deleted the person. */
  isDeleted: boolean;
}

/** People with this user name or email address, except the one of this id. */
export function findSameName(
  tx: EntityManager,
  { userName, email, except }: { userName: string; email: string; except: string | null },
): Promise<SameName[]> {
  return queryRows<SameName>(
    tx,
    `SELECT id, scim_deleted_at IS NOT NULL AS "isDeleted" FROM users
     WHERE kind = 'person' AND removed_at IS NULL AND id IS DISTINCT FROM $3 AND (${hasUserName('$1')} OR email = $2)`,
    [userName, email, except],
  );
}

/** Ids of people whom SCIM deleted before this time and who are still disabled. */
export async function findScimDeleted(
  manager: EntityManager,
  before: Date,
  { except, atMost }: { except: string[]; atMost: number },
): Promise<string[]> {
  const found = await manager.find(User, {
    where: { id: Not(Any(except)), scimDeletedAt: LessThan(before), status: 'disabled', removedAt: IsNull() },
    select: { id: true },
    order: { scimDeletedAt: 'ASC' },
    take: atMost,
  });
  return found.map(({ id }) => id);
}
