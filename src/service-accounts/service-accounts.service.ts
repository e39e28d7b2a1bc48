import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, In, MoreThan, Repository } from 'typeorm';
import { AuditService } from '../audit/audit.service.js';
import type { AuditAction } from '../audit/audit-actions.js';
import { Clock } from '../core/clock.js';
import type { Reader } from '../core/lists/cursors.js';
import type { Page } from '../core/lists/pagination.js';
import type { Principal } from '../core/http/principal.js';
import { CacheInvalidationService } from '../core/database/cache-invalidation.service.js';
import { DatabaseService } from '../core/database/database.service.js';
import { ServiceUsersService } from '../users/service-users.service.js';
import type { User } from '../users/user.entity.js';
import { UsersService } from '../users/users.service.js';
import { deleteMembershipsOf } from '../workspaces/workspaces.queries.js';
import { UserSessionsService } from '../sessions/user-sessions.service.js';
import type { UpdateUserDto } from '../users/dto/update-user.dto.js';
import { SessionsService } from '../sessions/sessions.service.js';
import type { CreateServiceAccountDto } from './dto/create-service-account.dto.js';
import type { ListServiceAccountsQuery } from './dto/list-service-accounts.dto.js';
import { ServiceAccountSecret } from './service-account-secret.entity.js';
import { type NewSecret, ServiceAccountSecretsService } from './service-account-secrets.service.js';
import { ServiceAccountNotFound } from './service-accounts.errors.js';

interface ServiceAccount {
  account: User;
  secrets: ServiceAccountSecret[];
}

/** Service accounts are users of another kind, so sessions, grants and the audit trail need no special cases. */
@Injectable()
export class ServiceAccountsService {
  constructor(
    @InjectRepository(ServiceAccountSecret) private readonly stored: Repository<ServiceAccountSecret>,
    private readonly secrets: ServiceAccountSecretsService,
    private readonly users: UsersService,
    private readonly serviceUsers: ServiceUsersService,
    private readonly accounts: UserSessionsService,
    private readonly sessions: SessionsService,
    private readonly database: DatabaseService,
    private readonly clock: Clock,
    private readonly audit: AuditService,
    private readonly changes: CacheInvalidationService,
  ) {}

  async list(
    reader: Reader,
    query: ListServiceAccountsQuery,
  ): Promise<Page<User> & Pick<ServiceAccount, 'secrets'>> {
    const page = await this.users.list(reader, { ...query, kind: 'service' });
    return { ...page, secrets: await this.secretsOf(page.items.map(({ id }) => id)) };
  }

  /** Throws ServiceAccountNotFound, also for the id of a person. */
  async get(id: string): Promise<ServiceAccount> {
    const account = await this.users.find(id);
    if (account?.kind !== 'service') throw new ServiceAccountNotFound();
    return { account, secrets: await this.secretsOf([id]) };
  }

  create(caller: Principal, body: CreateServiceAccountDto): Promise<{ account: User; secret: NewSecret }> {
    const { name, role, attributes, expires_in_days } = body;
    return this.database.transaction(async (tx) => {
      const account = await this.serviceUsers.create(tx, { name, role, attributes, createdBy: caller.id });
      const secret = await this.secrets.add(tx, account.id, caller.id, expires_in_days);
      return { account, secret };
    });
  }

  async update(caller: Principal, id: string, changes: UpdateUserDto): Promise<ServiceAccount> {
    const { secrets } = await this.get(id);
    return { account: await this.accounts.update(caller, id, changes), secrets };
  }

  /** Keeps the row, which other tables refer to, but removes all access. */
  remove(caller: Principal, id: string): Promise<void> {
    return this.database.transaction(async (tx) => {
      await this.lock(tx, id);
      const ending = { userId: id, reason: 'service_account_deleted', by: caller.id } as const;
      await this.sessions.endAll(tx, ending);
      await tx.delete(ServiceAccountSecret, { userId: id });
      await deleteMembershipsOf(tx, id);
      await this.serviceUsers.remove(tx, id);
      this.changes.publish(tx, 'rights', id);
      await this.record(tx, 'service_account_deleted', caller, id);
    });
  }

  /** Throws TooManySecrets when two are already valid. */
  rotate(caller: Principal, id: string, days: number): Promise<NewSecret> {
    return this.database.transaction(async (tx) => {
      await this.lock(tx, id);
      const secret = await this.secrets.add(tx, id, caller.id, days);
      await this.record(tx, 'service_account_rotated', caller, id, { secret_id: secret.row.id });
      return secret;
    });
  }

  revoke(caller: Principal, id: string, secretId: string): Promise<void> {
    return this.database.transaction(async (tx) => {
      await this.lock(tx, id);
      await this.secrets.remove(tx, id, secretId);
      await this.sessions.endAll(tx, { userId: id, reason: 'secret_revoked', by: caller.id });
      await this.record(tx, 'service_account_secret_revoked', caller, id, { secret_id: secretId });
    });
  }

  private async lock(tx: EntityManager, id: string): Promise<void> {
    if ((await this.serviceUsers.lock(tx, id)) === null) throw new ServiceAccountNotFound();
  }

  private secretsOf(ids: string[]): Promise<ServiceAccountSecret[]> {
    const where = { userId: In(ids), expiresAt: MoreThan(this.clock.now()) };
    return this.stored.find({ where, order: { createdAt: 'ASC' } });
  }

  private record(
    tx: EntityManager,
    action: AuditAction,
    caller: Principal,
    id: string,
    details?: Record<string, unknown>,
  ): Promise<void> {
    const target = { type: 'service_account', id } as const;
    return this.audit.record(tx, { action, actorId: caller.id, target, details });
  }
}
