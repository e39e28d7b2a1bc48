import { Injectable } from '@nestjs/common';
import type { Principal } from '../core/http/principal.js';
import { Config } from '../core/config/config.js';
import { DatabaseService } from '../core/database/database.service.js';
import type { User } from '../users/user.entity.js';
import { UsersService } from '../users/users.service.js';
import { type HeldGrant, HeldGrantsService } from '../reports/held-grants.service.js';
import { IdentitiesService } from '../oidc/identities.service.js';
import type { UpdateProfileDto } from './dto/update-profile.dto.js';

export type SignInMethod = 'password' | 'oidc';

export interface Profile {
  user: User;
  grants: HeldGrant[];
  signInMethods: SignInMethod[];
}

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

  async get({ id }: Principal): Promise<Profile> {
    const [user, grants, signInMethods] = await Promise.all([
      this.users.get(id),
      this.grants.ofUser(id),
      this.signInMethods(id),
    ]);
    return { user, grants, signInMethods };
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
