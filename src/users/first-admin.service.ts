import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { StartupTasks } from '../core/lifecycle/startup-tasks.service.js';
import { Config } from '../core/config/config.js';
import { DatabaseService } from '../core/database/database.service.js';
import { PasswordsService } from './passwords.service.js';
import { User } from './user.entity.js';
import { UsersService } from './users.service.js';

/** Makes the admin that the configuration names when, and only when, there is no user at all. */
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

  /** Replicas that start together make one. Throws PasswordRejected when the password is not acceptable. */
  async ensure(): Promise<void> {
    const { firstAdmin } = this.config.auth;
    if (firstAdmin === undefined) return;
    // Judged only when it is taken: rules that grew stricter keep no service from starting.
    if (await this.users.hasUsers()) return;
    const admin = { email: firstAdmin.email, name: 'Administrator' };
    const passwordHash = await this.passwords.hash(firstAdmin.password, admin);
    await this.database.transaction(async (tx) => {
      await tx.query('LOCK TABLE users IN SHARE ROW EXCLUSIVE MODE');
      if ((await tx.countBy(User, { kind: 'person' })) > 0) return;
      await this.users.create(tx, {
        ...admin,
        role: 'admin',
        passwordHash,
      });
    });
  }
}
