import { Injectable } from '@nestjs/common';
import type { Principal } from '../core/http/principal.js';
import type { ReplayCheck } from '../idempotency/idempotent-options.js';
import type { InviteUserDto } from './dto/invite-user.dto.js';
import { InvitationRightsService } from './invitation-rights.service.js';

/** A manager who is one no longer is not told again what came of the invitation. */
@Injectable()
export class InviteReplayService implements ReplayCheck<Partial<InviteUserDto>> {
  constructor(private readonly rights: InvitationRightsService) {}

  /** The body is the one that was validated the first time, without its defaults. */
  isStillAllowed(caller: Principal, { role, workspaces }: Partial<InviteUserDto>): Promise<void> {
    const ids = (workspaces ?? []).map((grant) => grant.workspace_id.toLowerCase());
    return this.rights.require(caller, role ?? 'member', ids);
  }
}
