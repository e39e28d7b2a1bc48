import { Injectable } from '@nestjs/common';
import { DatabaseService } from '../core/database/database.service.js';
import { TokenLimitsService } from '../platform/rate-limit/token-limits.service.js';
import { UsersService } from '../users/users.service.js';
import { InvitationAcceptanceService } from './invitation-acceptance.service.js';
import {
  type InvitationDescription,
  InvitationDescriptionService,
} from './invitation-description.service.js';
import { InvitationRightsService } from './invitation-rights.service.js';
import { InvitationAccepted, InvitationRevoked } from './invitations.errors.js';
import type { Invitation } from './invitation.entity.js';

export interface InvitationPreview extends InvitationDescription {
  invitation: Invitation;
}

/** Shows an invitation to the holder of its link before acceptance, without any change. */
@Injectable()
export class InvitationPreviewService {
  constructor(
    private readonly limits: TokenLimitsService,
    private readonly acceptance: InvitationAcceptanceService,
    private readonly rights: InvitationRightsService,
    private readonly users: UsersService,
    private readonly descriptions: InvitationDescriptionService,
    private readonly database: DatabaseService,
  ) {}

  /**
   * Contains only access that acceptance would confer now. Throws TooManyAttempts and what acceptance throws:
   * InvalidInvitation, InvitationAccepted, InvitationExpired or InvitationRevoked.
   */
  async preview(secret: string): Promise<InvitationPreview> {
    const invitation = await this.limits.lookUp(() => this.acceptance.check(secret));
    const remaining = await this.rights.revalidate(this.database.manager, invitation);
    if (remaining === null) throw new InvitationRevoked();
    const account = await this.users.findByEmail(invitation.email);
    if (account?.status === 'active') throw new InvitationAccepted();
    if (account !== null && !remaining.byAdmin) throw new InvitationRevoked();
    return { invitation, ...(await this.descriptions.describe(invitation.invitedBy, remaining.grants)) };
  }
}
