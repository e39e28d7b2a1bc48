import { Injectable } from '@nestjs/common';
import { type EntityManager, IsNull } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { AuditService } from '../platform/audit/audit.service.js';
import { Clock } from '../core/clock.js';
import type { Reader } from '../core/lists/cursors.js';
import type { Page } from '../core/lists/pagination.js';
import { CacheInvalidationService } from '../core/database/cache-invalidation.service.js';
import type { Principal } from '../core/http/principal.js';
import { placeholderEmail } from '../core/validation/email-address.js';
import type { ListUsersQuery } from './dto/user.dto.js';
import { User } from './user.entity.js';
import { UsersService } from './users.service.js';

type NewServiceAccount = Pick<User, 'name' | 'role' | 'scopes' | 'attributes' | 'createdBy'>;

/** The users behind service accounts and behind the command line. */
@Injectable()
export class ServiceUsersService {
  constructor(
    private readonly users: UsersService,
    private readonly clock: Clock,
    private readonly audit: AuditService,
    private readonly changes: CacheInvalidationService,
  ) {}

  list(reader: Reader, query: Omit<ListUsersQuery, 'kind'>): Promise<Page<User>> {
    return this.users.list(reader, { ...query, kind: 'service' });
  }

  /** Null for an unknown or removed account, and for the id of a person. */
  async find(id: string): Promise<User | null> {
    const user = await this.users.find(id);
    return user?.kind === 'service' ? user : null;
  }

  /** `createdBy` null: the account of the command line. */
  async create(tx: EntityManager, account: NewServiceAccount): Promise<User> {
    const id = uuidv7();
    const created = tx.create(User, {
      ...account,
      id,
      kind: 'service',
      email: placeholderEmail(id, 'service'),
      status: 'active',
      passwordHash: null,
      createdAt: this.clock.now(),
      lastSignInAt: null,
      removedAt: null,
    });
    await tx.insert(User, created);
    await this.audit.record(tx, {
      action: 'service_account_created',
      actorId: account.createdBy ?? id,
      target: { type: 'service_account', id },
      details: { name: created.name, role: created.role, scopes: created.scopes },
    });
    return created;
  }

  findCommandLineAccount(tx: EntityManager): Promise<User | null> {
    return tx.findOneBy(User, { kind: 'service', createdBy: IsNull(), removedAt: IsNull() });
  }

  /** Disables and removes a service account. The row stays, because other tables refer to it. */
  async remove(tx: EntityManager, by: Pick<Principal, 'id'>, id: string): Promise<void> {
    await tx.update(User, { id }, { status: 'disabled', removedAt: this.clock.now() });
    this.changes.publish(tx, 'rights', id);
    const target = { type: 'service_account', id } as const;
    await this.audit.record(tx, { action: 'service_account_deleted', actorId: by.id, target });
  }

  /** Returns false when the account is not active. */
  async recordSignIn(tx: EntityManager, id: string): Promise<boolean> {
    const { affected } = await tx.update(User, { id, status: 'active' }, { lastSignInAt: this.clock.now() });
    return affected !== 0;
  }

  /** Locks the row until the transaction ends. Null for an unknown or removed account. */
  lock(tx: EntityManager, id: string): Promise<User | null> {
    const where = { id, kind: 'service', removedAt: IsNull() } as const;
    return tx.findOne(User, { where, lock: { mode: 'pessimistic_write' } });
  }
}
