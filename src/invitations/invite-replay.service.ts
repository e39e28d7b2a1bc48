import { Injectable } from '@nestjs/common';
import type { Principal } from '../core/http/principal.js';
import type { ReplayCheck } from '../idempotency/idempotent-options.js';
import type { InviteUserDto } from './dto/invite-user.dto.js';
import { InvitationRightsService } from './invitation-rights.service.js';

/** Checks the caller's rights again before an idempotent replay: a former manager does not get the stored response. */
@Injectable()
export class InviteReplayService implements ReplayCheck<Partial<InviteUserDto>> {
  constructor(private readonly rights: InvitationRightsService) {}

  /**
   * The raw body: it was validated by the first request, but has no DTO defaults. Throws as
   * `InvitationRightsService.require` does.
   */
  isStillAllowed(caller: Principal, { role, workspaces }: Partial<InviteUserDto>): Promise<void> {
    const ids = (workspaces ?? []).map((grant) => grant.workspace_id.toLowerCase());
    return this.rights.require(caller, role ?? 'member', ids);
  }
}
