import { Injectable } from '@nestjs/common';
import type { Principal } from '../../core/http/principal.js';
import { InvalidRequest } from '../../core/problems/problem.js';
import { DatabaseService } from '../../core/database/database.service.js';
import { lockPerson } from '../../users/users.queries.js';
import { UsersService } from '../../users/users.service.js';
import type { LinkIdentityDto } from './dto/identity.dto.js';
import { idpMethods } from '../sessions/session.entity.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { IdentitiesService, type Subject } from './identities.service.js';
import { IdentityProviderService } from './identity-provider.service.js';
import { IdpAccessService } from './idp-access.service.js';
import { IdentityNotFound, IdentityTaken } from './provider.errors.js';
import { UserIdentity } from './user-identity.entity.js';

/** Manual linking of identities by admins. */
@Injectable()
export class IdentityLinkingService {
  constructor(
    private readonly database: DatabaseService,
    private readonly provider: IdentityProviderService,
    private readonly identities: IdentitiesService,
    private readonly access: IdpAccessService,
    private readonly users: UsersService,
    private readonly sessions: SessionsService,
  ) {}

  async list(userId: string): Promise<UserIdentity[]> {
    const user = await this.users.get(userId);
    return this.identities.list(user.id);
  }

  /** Throws UserNotFound, also for a service account, and IdentityTaken when the subject is already linked. */
  async link(caller: Principal, userId: string, input: LinkIdentityDto): Promise<UserIdentity> {
    const subject = await this.subjectOf(input);
    return this.database.transaction(async (tx) => {
      const taken = await this.identities.lock(tx, subject);
      // An erasure in between would leave the identity.
      const { id } = await lockPerson(tx, userId);
      if (taken !== null) throw new IdentityTaken();
      return this.identities.link(tx, id, subject, caller);
    });
  }

  /** Also removes the access it provided and ends the sessions opened through the provider. Throws IdentityNotFound. */
  async unlink(caller: Principal, userId: string, id: string): Promise<void> {
    await this.database.transaction(async (tx) => {
      const lock = { mode: 'pessimistic_write' } as const;
      const identity = await tx.findOne(UserIdentity, { where: { id, userId }, lock });
      if (identity === null) throw new IdentityNotFound();
      await this.access.remove(tx, identity);
      await this.identities.unlink(tx, identity, caller);
      const ending = {
        userId,
        methods: idpMethods,
        reason: 'identity_unlinked',
        by: caller.id,
      } as const;
      await this.sessions.endAll(tx, ending);
    });
  }

  private async subjectOf(input: LinkIdentityDto): Promise<Subject> {
    const { subject, tenant_id: tid, object_id: oid, issuer } = input;
    const metadata = this.database.isJoined ? this.provider.knownMetadata : await this.provider.metadata();
    const { issuer: ours } = metadata;
    // Each tenant has its own issuer then, and a subject alone matches no sign-in.
    if (subject !== undefined && ours.includes('{tenantid}'))
      this.refuse('subject', 'subject must not be used with several tenants: use tenant_id and object_id');
    const iss = ours.replace('{tenantid}', tid ?? '');
    if (issuer !== undefined && issuer !== iss)
      this.refuse('issuer', 'issuer must match the configured provider');
    if (tid === undefined || oid === undefined) {
      return { iss, sub: subject as string, tid: null, oid: null };
    }
    if (subject !== undefined)
      this.refuse('subject', 'subject must not be combined with tenant_id and object_id');
    if (!iss.endsWith(`/${tid}/v2.0`))
      this.refuse('tenant_id', 'tenant_id must match the configured provider');
    return { iss, sub: null, tid, oid };
  }

  private refuse(name: string, detail: string): never {
    throw new InvalidRequest([{ pointer: `/${name}`, detail }]);
  }
}
