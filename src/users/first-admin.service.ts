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
    // People only: the service account of the command line may already exist, but cannot sign in. The password is validated
    // only when it is used: stricter rules must not prevent a later start.
    if (await this.database.manager.existsBy(User, { kind: 'person' })) return;
    const admin = { email: firstAdmin.email, name: 'Administrator' };
    const passwordHash = await this.passwords.hash(firstAdmin.password, admin);
    await this.database.transaction(async (tx) => {
      await execute(tx, 'LOCK TABLE users IN SHARE ROW EXCLUSIVE MODE', [], false);
      if (await tx.existsBy(User, { kind: 'person' })) return;
      await this.users.create(tx, {
        ...admin,
        role: 'admin',
        passwordHash,
      });
    });
  }
}
