import { Injectable } from '@nestjs/common';
import type { Principal } from '../core/http/principal.js';
import { Config } from '../core/config/config.js';
import type { Page } from '../core/lists/pagination.js';
import { DatabaseService } from '../core/database/database.service.js';
import type { User } from '../users/user.entity.js';
import { UsersService } from '../users/users.service.js';
import { ListHeldGrantsQuery } from '../reports/dto/grant.dto.js';
import type { GrantCounts } from '../reports/held-grants.queries.js';
import { HeldGrantsService, type ListedGrant } from '../reports/held-grants.service.js';
import { IdentitiesService } from '../auth/oidc/identities.service.js';
import type { UpdateProfileDto } from './dto/profile.dto.js';

export type SignInMethod = 'password' | 'oidc';

export interface Profile {
  user: User;
  /** The first page of `/api/users/me/grants`. */
  grants: Page<ListedGrant>;
  grantCounts: GrantCounts;
  signInMethods: SignInMethod[];
}

const firstGrants = Object.assign(new ListHeldGrantsQuery(), { limit: 100 });

/** The caller's profile: user, grants and available sign-in methods. */
@Injectable()
export class ProfileService {
  constructor(
    private readonly config: Config,
    private readonly database: DatabaseService,
    private readonly users: UsersService,
    private readonly grants: HeldGrantsService,
    private readonly identities: IdentitiesService,
  ) {}

  /** One after the other: a request uses few connections. */
  async get(caller: Principal): Promise<Profile> {
    const { id } = caller;
    const user = await this.users.get(id);
    const grants = await this.grants.ofUser(caller, id, firstGrants);
    const grantCounts = await this.grants.count(id);
    return { user, grants, grantCounts, signInMethods: await this.signInMethods(id) };
  }

  async update(caller: Principal, { time_zone, ...changes }: UpdateProfileDto): Promise<Profile> {
    await this.database.transaction((tx) =>
      this.users.update(tx, caller, caller.id, {
        ...changes,
        ...(time_zone !== undefined && { timeZone: time_zone }),
      }),
    );
    return this.get(caller);
  }

  private async signInMethods(id: string): Promise<SignInMethod[]> {
    const { passwordSignIn, oidc } = this.config;
    const methods: SignInMethod[] = [];
    if (passwordSignIn && (await this.users.hasPassword(id))) methods.push('password');
    if (oidc !== undefined && (await this.identities.list(id)).length > 0) methods.push('oidc');
    return methods;
  }
}
