import { Injectable } from '@nestjs/common';
import type { Principal } from '../core/http/principal.js';
import type { ReplayCheck } from '../platform/idempotency/idempotency.interceptor.js';
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
  async isStillAllowed(
    caller: Principal,
    { role = 'member', workspaces = [], reports = [], groups = [] }: Partial<InviteUserDto>,
  ): Promise<void> {
    await this.rights.require(caller, role, { workspaces, reports, groups });
  }
}
