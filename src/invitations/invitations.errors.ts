import { Problem } from '../core/problems/problem.js';

/** Thrown for a secret that matches no invitation. Reveals nothing else. */
export class InvalidInvitation extends Problem {
  constructor() {
    super('invalid_invitation', 'Ask for a new invitation.');
  }
}

export class InvitationAccepted extends Problem {
  constructor() {
    super('invitation_accepted', 'Sign in with your e-mail and password.');
  }
}

export class InvitationExpired extends Problem {
  constructor() {
    super('invitation_expired', 'Ask for a new invitation.');
  }
}

export class InvitationRevoked extends Problem {
  constructor() {
    super('invitation_revoked', 'Ask the person who invited you.');
  }
}

export class AlreadyHasAccess extends Problem {
  constructor() {
    super('already_has_access', 'Nothing would change.');
  }
}

export class UserIsDisabled extends Problem {
  constructor() {
    super('user_disabled', 'Only an admin can bring this person back.');
  }
}

export class MayNotInvite extends Problem {
  constructor() {
    super('access_denied', 'Invite members into workspaces that you manage, or ask an admin.');
  }
}

/** Also thrown for an invitation that the caller may not manage. */
export class InvitationNotFound extends Problem {
  constructor() {
    super('invitation_not_found', 'You have no invitation of this id.');
  }
}

export class InvitationNotPending extends Problem {
  constructor(status: string) {
    super('invitation_not_pending', `The invitation is ${status}.`);
  }
}

export class ResendTooSoon extends Problem {
  constructor(retryAfter: number) {
    super('rate_limited', 'One mail a minute goes to an address.', { retryAfter });
  }
}

export class TooManyMails extends Problem {
  constructor(retryAfter: number) {
    super('rate_limited', 'You caused as many mails as you may in an hour.', { retryAfter });
  }
}
