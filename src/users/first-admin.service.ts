import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { StartupTasks } from '../core/lifecycle/startup-tasks.service.js';
import { Config } from '../core/config/config.js';
import { DatabaseService } from '../core/database/database.service.js';
import { execute } from '../core/database/execute.js';
import { PasswordsService } from './passwords.service.js';
import { User } from './user.entity.js';
import { UsersService } from './users.service.js';

/** Creates the admin from the configuration if no user exists. Service accounts do not count. */
@Injectable()
export class FirstAdminService implements OnApplicationBootstrap {
  constructor(
    private readonly config: Config,
    private readonly database: DatabaseService,
    private readonly users: UsersService,
    private readonly passwords: PasswordsService,
    private readonly startup: StartupTasks,
  ) {}

  onApplicationBootstrap(): void {
    this.startup.begin({ after: 'invalidation' }, () => this.ensure());
  }

  /** Replicas that start at the same time create one. Throws PasswordRejected. */
  async ensure(): Promise<void> {
    const { firstAdmin } = this.config.auth;
    if (firstAdmin === undefined) return;
    // Validated only when it is used: stricter password rules must not prevent a later start.
    if (await this.users.hasUsers()) return;
    const admin = { email: firstAdmin.email, name: 'Administrator' };
    const passwordHash = await this.passwords.hash(firstAdmin.password, admin);
    await this.database.transaction(async (tx) => {
      await execute(tx, 'LOCK TABLE users IN SHARE ROW EXCLUSIVE MODE', [], false);
      if ((await tx.countBy(User, { kind: 'person' })) > 0) return;
      await this.users.create(tx, {
        ...admin,
        role: 'admin',
        passwordHash,
      });
    });
  }
}
