import { Injectable } from '@nestjs/common';
import type { Reader } from '../../core/lists/cursors.js';
import type { Page } from '../../core/lists/pagination.js';
import type { Principal } from '../../core/http/principal.js';
import { DatabaseService } from '../../core/database/database.service.js';
import { ServiceUsersService } from '../../users/service-users.service.js';
import type { User } from '../../users/user.entity.js';
import { GrantsService } from '../../access/grants/grants.service.js';
import { UserSessionsService } from '../sessions/user-sessions.service.js';
import { SessionsService } from '../sessions/sessions.service.js';
import type {
  CreateServiceAccountDto,
  ListServiceAccountsQuery,
  UpdateServiceAccountDto,
} from './dto/service-account.dto.js';
import type { ServiceAccountSecret } from './service-account-secret.entity.js';
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
    private readonly secrets: ServiceAccountSecretsService,
    private readonly serviceUsers: ServiceUsersService,
    private readonly accounts: UserSessionsService,
    private readonly sessions: SessionsService,
    private readonly database: DatabaseService,
    private readonly grants: GrantsService,
  ) {}

  async list(
    reader: Reader,
    query: ListServiceAccountsQuery,
  ): Promise<Page<User> & Pick<ServiceAccount, 'secrets'>> {
    const page = await this.serviceUsers.list(reader, query);
    return { ...page, secrets: await this.secrets.list(page.items.map(({ id }) => id)) };
  }

  /** Throws ServiceAccountNotFound, also for the id of a person. */
  async get(id: string): Promise<ServiceAccount> {
    const account = await this.serviceUsers.find(id);
    if (account === null) throw new ServiceAccountNotFound();
    return { account, secrets: await this.secrets.list([id]) };
  }

  create(caller: Principal, body: CreateServiceAccountDto): Promise<{ account: User; secret: NewSecret }> {
    const { name, role, scopes, attributes, expires_in_days } = body;
    return this.database.transaction(async (tx) => {
      const account = await this.serviceUsers.create(tx, {
        name,
        role,
        scopes,
        attributes,
        createdBy: caller.id,
      });
      const secret = await this.secrets.add(tx, account.id, caller.id, expires_in_days);
      return { account, secret };
    });
  }

  async update(caller: Principal, id: string, changes: UpdateServiceAccountDto): Promise<ServiceAccount> {
    const { secrets } = await this.get(id);
    return { account: await this.accounts.update(caller, id, changes), secrets };
  }

  /** Keeps the row, which other tables refer to, but removes all access. */
  remove(caller: Principal, id: string): Promise<void> {
    return this.database.transaction(async (tx) => {
      if ((await this.serviceUsers.lock(tx, id)) === null) throw new ServiceAccountNotFound();
      const ending = { userId: id, reason: 'service_account_deleted', by: caller.id } as const;
      await this.sessions.endAll(tx, ending);
      await this.secrets.removeAll(tx, id);
      await this.grants.removeAll(tx, caller, id);
      await this.serviceUsers.remove(tx, caller, id);
    });
  }
}
