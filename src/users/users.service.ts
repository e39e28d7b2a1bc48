import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, IsNull, Not, Repository, type SelectQueryBuilder } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { AuditService, type AuditEntry } from '../platform/audit/audit.service.js';
import { type Differences, differences } from '../platform/audit/differences.js';
import { Clock } from '../core/clock.js';
import { Cursors, type Reader } from '../core/lists/cursors.js';
import { nameKeyOf } from '../core/lists/fold-name.js';
import { searchPeople } from '../core/lists/person-search.js';
import { listPage, type Page, selectedBy } from '../core/lists/pagination.js';
import type { Principal } from '../core/http/principal.js';
import { CacheInvalidationService } from '../core/database/cache-invalidation.service.js';
import { ListUsersQuery, userSortKeys } from './dto/user.dto.js';
import { canonicalEmail } from '../core/validation/email-address.js';
import { auditedChange, type NewUser, type UserChanges } from './user-changes.js';
import { User } from './user.entity.js';
import { LastAdmin, UserNotFound } from './users.errors.js';
import {
  findCredentials,
  type SignInCandidate,
  lockActiveAdmins,
  updateOnSignIn,
  emailOf,
} from './users.queries.js';

@Injectable()
export class UsersService {
  constructor(
    @InjectRepository(User) private readonly users: Repository<User>,
    private readonly cursors: Cursors,
    private readonly clock: Clock,
    private readonly audit: AuditService,
    private readonly changes: CacheInvalidationService,
  ) {}

  async list(reader: Reader, { status, role, kind, ...page }: ListUsersQuery): Promise<Page<User>> {
    const query = this.users.createQueryBuilder('user').where('user.removedAt IS NULL');
    query.andWhere('user.kind = :kind', { kind });
    if (status !== undefined) query.andWhere('user.status = :status', { status });
    if (role !== undefined) query.andWhere('user.role = :role', { role });
    searchPeople(query, page.q, { name: nameKeyOf('user.name'), email: emailOf('user.') });
    return listPage(
      selectedBy(query),
      { reader, ...page, keys: userSortKeys, filters: { status, role, kind } },
      this.cursors,
    );
  }

  /** A query of users as `user`, for lists of other modules. */
  select(): SelectQueryBuilder<User> {
    return this.users.createQueryBuilder('user');
  }

  /** Throws UserNotFound. With `tx` it sees the uncommitted changes of that transaction. */
  async get(id: string, tx?: EntityManager): Promise<User> {
    const user = await this.find(id, tx);
    if (user === null) throw new UserNotFound();
    return user;
  }

  find(id: string, tx?: EntityManager): Promise<User | null> {
    return (tx?.getRepository(User) ?? this.users).findOneBy({ id, removedAt: IsNull() });
  }

  findByEmail(email: string, tx?: EntityManager): Promise<User | null> {
    return (tx?.getRepository(User) ?? this.users).findOneBy({ email: canonicalEmail(email) });
  }

  /** Includes the password hash, which no other query selects. */
  async findForSignIn(email: string): Promise<SignInCandidate | null> {
    return (await findCredentials(this.users.manager, canonicalEmail(email))) ?? null;
  }

  /** Without `by`, the audit trail records the new user as the actor. */
  async create(tx: EntityManager, { email, ...user }: NewUser, by?: Pick<Principal, 'id'>): Promise<User> {
    const created = tx.create(User, {
      id: uuidv7(),
      email: canonicalEmail(email),
      status: 'active',
      attributes: {},
      ...user,
      createdAt: this.clock.now(),
      lastSignInAt: null,
    });
    await tx.insert(User, created);
    await this.audit.record(tx, {
      action: 'user_created',
      actorId: by?.id ?? created.id,
      target: { type: 'user', id: created.id },
      details: { role: created.role, ...(created.source === 'scim' && { source: 'scim' }) },
    });
    return created;
  }

  /**
   * Without `by`, the identity provider makes the change. Throws UserNotFound, and LastAdmin for a change that would leave no
   * active admin.
   */
  async update(
    tx: EntityManager,
    by: Pick<Principal, 'id'> | null,
    id: string,
    given: UserChanges,
  ): Promise<User> {
    // Whoever activates a person whom SCIM deleted also stops the erasure.
    const changes = {
      ...given,
      ...(given.status === 'active' && { scimDeletedAt: null }),
      ...(given.email !== undefined && { email: canonicalEmail(given.email) }),
    };
    const wouldLeave = changes.role === 'member' || changes.status === 'disabled';
    const admins = wouldLeave ? await lockActiveAdmins(tx, id) : [];
    const where = { id, removedAt: IsNull() };
    const before = await tx.findOne(User, { where, lock: { mode: 'pessimistic_write' } });
    if (before === null) throw new UserNotFound();
    if (wouldLeave && admins.every((admin) => admin === id) && admins.length > 0) throw new LastAdmin();
    // It shows nowhere: no change for the audit trail.
    const { hasScimEmail = before.hasScimEmail, ...shown } = changes;
    const diff = differences(before, shown);
    if (hasScimEmail !== before.hasScimEmail) await tx.update(User, { id }, { hasScimEmail });
    if (Object.keys(diff).length === 0) return before;
    await tx.update(User, { id }, { ...shown, updatedAt: this.clock.now() });
    this.changes.publish(tx, 'rights', id);
    const details = { ...(given.source === 'scim' && { source: 'scim' }), ...auditedChange(before, diff) };
    await this.audit.record(tx, { ...changeOf(before, diff), actorId: by?.id ?? null, details });
    return { ...before, ...changes };
  }

  /** For callers that must verify that the hash is unchanged. Null when the user has no password. */
  async passwordHashOf(tx: EntityManager, id: string): Promise<string | null> {
    const user = await tx.findOne(User, { where: { id }, select: { id: true, passwordHash: true } });
    return user?.passwordHash ?? null;
  }

  hasPassword(id: string): Promise<boolean> {
    return this.users.existsBy({ id, passwordHash: Not(IsNull()) });
  }

  async setPassword(tx: EntityManager, id: string, passwordHash: string | null): Promise<void> {
    await tx.update(User, { id }, { passwordHash });
  }

  /** Records a sign-in without a password: by identity provider or invitation. */
  async recordSignIn(tx: EntityManager, id: string): Promise<void> {
    await tx.update(User, { id }, { lastSignInAt: this.clock.now() });
  }

  /**
   * Records a password sign-in. Returns false when the user was disabled or the password changed since it was verified.
   * Also upgrades a hash below the floor. Locks the user's row until the transaction ends.
   */
  completePasswordSignIn(
    tx: EntityManager,
    id: string,
    verifiedHash: string,
    renewedHash = verifiedHash,
  ): Promise<boolean> {
    return updateOnSignIn(tx, id, { verifiedHash, renewedHash, now: this.clock.now() });
  }
}

function changeOf({ id, kind }: User, diff: Differences): Pick<AuditEntry, 'action' | 'target'> {
  if (kind === 'service')
    return { action: 'service_account_changed', target: { type: 'service_account', id } };
  const action = diff.status?.to === 'disabled' ? 'user_disabled' : 'user_changed';
  return { action, target: { type: 'user', id } };
}
