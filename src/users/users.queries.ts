// SQL, because three statements are a measured part of each sign-in, and others are parts of larger statements.
import { Any, type EntityManager, In, IsNull } from 'typeorm';
import { execute, Parameters, queryRows } from '../core/database/execute.js';
import { nameKeyOf } from '../core/lists/fold-name.js';
import { NameRank, type Rank } from '../core/lists/name-rank.js';
import { matchesPerson } from '../core/lists/person-search.js';
import { User } from './user.entity.js';
import { UserNotFound } from './users.errors.js';

/** User columns that a password sign-in reads. */
export type SignInCandidate = Pick<User, 'id' | 'email' | 'name' | 'status' | 'passwordHash'>;

/** Locks the user's row and returns whether the user is active. Serializes changes to the sessions of one user. */
export async function lockActiveUser(tx: EntityManager, userId: string): Promise<boolean> {
  const { rowCount } = await execute(tx, `SELECT FROM users WHERE id = $1 AND status = 'active' FOR UPDATE`, [
    userId,
  ]);
  return rowCount === 1;
}

const existingPerson = (id: string) => ({ id, kind: 'person', removedAt: IsNull() }) as const;

/** Locks the row of a person. Throws UserNotFound. */
export async function lockPerson(tx: EntityManager, id: string): Promise<User> {
  const user = await tx.findOne(User, { where: existingPerson(id), lock: { mode: 'pessimistic_write' } });
  if (user === null) throw new UserNotFound();
  return user;
}

/** Throws UserNotFound, also for service accounts and erased users. */
export async function getPerson(manager: EntityManager, id: string): Promise<User> {
  const user = await manager.findOneBy(User, existingPerson(id));
  if (user === null) throw new UserNotFound();
  return user;
}

/** By id, also erased users, for rows that refer to them. */
export async function findIncludingRemoved(
  manager: EntityManager,
  ids: readonly string[],
): Promise<ReadonlyMap<string, User>> {
  const users = await manager.findBy(User, { id: In([...new Set(ids)]) });
  return new Map(users.map((user) => [user.id, user]));
}

/** SQL condition: whether the user of this id column is active. */
export const isActiveUser = (userId: string): string =>
  `EXISTS (SELECT FROM users WHERE users.id = ${userId} AND users.status = 'active')`;

const activeAdmin = { role: 'admin', status: 'active', kind: 'person' } as const;
/** Of a locked row: whoever waited for the lock sees the other's change. */
const isActiveAdmin = ({ role, status }: User): boolean => role === 'admin' && status === 'active';

/**
 * Ids of all active admins who are people. Locks them and this user in the order of their ids: of two concurrent
 * demotions the second sees the first.
 */
export async function lockActiveAdmins(tx: EntityManager, userId: string): Promise<string[]> {
  const found = await tx.find(User, {
    where: [{ id: userId }, activeAdmin],
    order: { id: 'ASC' },
    lock: { mode: 'pessimistic_write' },
  });
  return found.filter((user) => isActiveAdmin(user) && user.kind === 'person').map(({ id }) => id);
}

/**
 * Locks a caller who changes a user, that user and, like `lockActiveAdmins`, all active admins, but so that grants by and to
 * them do not wait. Returns whether the caller is still an active admin: one who waited for the own demotion must not undo it.
 */
export async function lockForAdmin(tx: EntityManager, callerId: string, userId: string): Promise<boolean> {
  const found = await tx.find(User, {
    where: [{ id: In([callerId, userId]) }, activeAdmin],
    order: { id: 'ASC' },
    lock: { mode: 'for_no_key_update' },
  });
  return found.some((user) => user.id === callerId && isActiveAdmin(user));
}

/** Ids of active admins who are people, oldest first. */
export async function listAdminIds(manager: EntityManager, limit: number): Promise<string[]> {
  const rows = await manager.find(User, {
    where: activeAdmin,
    select: { id: true },
    order: { id: 'ASC' },
    take: limit,
  });
  return rows.map(({ id }) => id);
}

export async function findCredentials(
  manager: EntityManager,
  email: string,
): Promise<SignInCandidate | undefined> {
  const { rows } = await execute<SignInCandidate>(
    manager,
    'SELECT id, email, name, status, password_hash AS "passwordHash" FROM users WHERE email = $1',
    [email],
  );
  return rows[0];
}

/** Returns false when the user is disabled or the password has changed since it was verified. */
export async function updateOnSignIn(
  tx: EntityManager,
  id: string,
  { verifiedHash, renewedHash, now }: { verifiedHash: string; renewedHash: string; now: Date },
): Promise<boolean> {
  const { rowCount } = await execute(
    tx,
    `UPDATE users SET last_sign_in_at = $3, password_hash = $4
     WHERE id = $1 AND status = 'active' AND password_hash = $2`,
    [id, verifiedHash, now, renewedHash],
  );
  return rowCount === 1;
}

/** A user or service account as the audit trail shows it: without name and email address once erased. */
export interface AuditPerson {
  id: string;
  kind: 'person' | 'service';
  name: string | null;
  email: string | null;
  removed: boolean;
}

/** The users and service accounts of these ids, also removed ones, for lists of names. */
export async function describeUsers(manager: EntityManager, ids: readonly string[]): Promise<AuditPerson[]> {
  const found = await manager.find(User, {
    where: { id: Any([...ids]) },
    select: { id: true, kind: true, name: true, email: true, removedAt: true },
  });
  return found.map(({ id, kind, name, email, removedAt }) => ({
    id,
    kind,
    removed: removedAt !== null,
    name: kind === 'service' || removedAt === null ? name : null,
    email: kind === 'person' && removedAt === null ? email : null,
  }));
}

export const isActive = (manager: EntityManager, id: string): Promise<boolean> =>
  manager.existsBy(User, { id, status: 'active' });

/** An active person as the recipient of a mail. */
export type Recipient = Pick<User, 'id' | 'name' | 'email' | 'role' | 'locale' | 'timeZone'>;

export const findRecipient = (manager: EntityManager, id: string): Promise<Recipient | null> =>
  manager.findOneBy(User, { id, kind: 'person', status: 'active' });

/** SQL subquery: ids of the active users and service accounts. */
export const activeUsers = `SELECT id FROM users WHERE status = 'active'`;

/** SQL subquery: ids of the admins. */
export const admins = `SELECT id FROM users WHERE role = 'admin'`;

/** SQL expression: the address of a person, null for a service account. It has a trigram index. `prefix` is the table with a dot. */
export const emailOf = (prefix = ''): string => `CASE WHEN ${prefix}kind = 'person' THEN ${prefix}email END`;

/** As `emailOf`, of a row. */
export const addressOf = ({ kind, email }: Pick<User, 'kind' | 'email'>): string | null =>
  kind === 'person' ? email : null;

/** SQL query: all users and service accounts, for lists of names. */
export const allNamedUsers = `SELECT id, name, ${emailOf()} AS email, ${nameKeyOf('name')} AS name_key FROM users`;

/** SQL subquery: those that the subquery `ids` selects. */
export const namedUsers = (ids: string): string => `${allNamedUsers} WHERE id IN (${ids})`;

/** Ids of the users with these canonical addresses. */
export async function findIdsByEmail(manager: EntityManager, emails: readonly string[]): Promise<string[]> {
  const found = await manager.find(User, { where: { email: In(emails) }, select: { id: true } });
  return found.map(({ id }) => id);
}

const lockModes = {
  UPDATE: 'pessimistic_write',
  'NO KEY UPDATE': 'for_no_key_update',
  'KEY SHARE': 'for_key_share',
} as const;

/**
 * Locks the rows of these users and service accounts, except removed ones, in a fixed order, and returns their ids.
 * `KEY SHARE` excludes only their removal and `UPDATE`.
 */
export async function lockUsers(
  tx: EntityManager,
  ids: readonly string[],
  strength: keyof typeof lockModes,
): Promise<string[]> {
  const found = await tx.find(User, {
    where: { id: Any([...ids]), removedAt: IsNull() },
    select: { id: true },
    order: { id: 'ASC' },
    lock: { mode: lockModes[strength] },
  });
  return found.map(({ id }) => id);
}

/** Excludes the removal of the active account that has this canonical address. Returns its id; null if there is none. */
export async function lockAccountOf(tx: EntityManager, email: string): Promise<string | null> {
  const account = await tx.findOne(User, {
    where: { email, status: 'active' },
    select: { id: true },
    lock: { mode: 'for_key_share' },
  });
  return account?.id ?? null;
}

type FoundUser = Pick<User, 'id' | 'name' | 'email'> & { rank: Rank };

/** The people whose name or email address matches best. */
export function searchUsers(manager: EntityManager, q: string, limit: number): Promise<FoundUser[]> {
  const parameters = new Parameters();
  const name = new NameRank(q, parameters);
  const key = nameKeyOf('name');
  const isFound = matchesPerson(q, { name: key, email: emailOf() }, (value) => parameters.add(value));
  return queryRows<FoundUser>(
    manager,
    `SELECT id, name, email, least(${name.rank(key)}, ${name.rank('email')}) AS rank FROM users
     WHERE kind = 'person' AND removed_at IS NULL AND ${isFound}
     ORDER BY rank, ${key}, id LIMIT ${parameters.add(limit)}`,
    parameters.values,
    false,
  );
}
