import { Problem, problem } from '../core/problems/problem.js';

/** Thrown for a secret that matches no invitation. Reveals nothing else. */
export class InvalidInvitation extends problem('invalid_invitation', 'Request a new invitation.') {}

export class InvitationAccepted extends problem('invitation_accepted', 'Sign in to your account.') {}

export class InvitationExpired extends problem('invitation_expired', 'Request a new invitation.') {}

export class InvitationRevoked extends problem('invitation_revoked', 'Contact the user who invited you.') {}

export class AlreadyHasAccess extends problem(
  'already_has_access',
  'The invitation grants no additional access.',
) {}

export class UserIsDisabled extends problem('user_disabled', 'Only an administrator can enable this user.') {}

export class MayNotInvite extends problem(
  'access_denied',
  'Invite members to workspaces that you manage, or contact an administrator.',
) {}

/** Also thrown for an invitation that the caller may not manage. */
export class InvitationNotFound extends problem(
  'invitation_not_found',
  'You have no invitation with this id.',
) {}

export class InvitationNotPending extends Problem {
  constructor(detail: string) {
    super('invitation_not_pending', detail);
  }
}

export class ResendTooSoon extends Problem {
  constructor(retryAfter: number) {
    super('rate_limited', 'Only one email per minute is sent to an address.', { retryAfter });
  }
}

export class TooManyMails extends Problem {
  constructor(retryAfter: number) {
    super('rate_limited', 'You have reached your limit for emails.', { retryAfter });
  }
}
