import { MAX_ATTRIBUTES } from '../../core/validation/text.js';
import { Problem, problem } from '../../core/problems/problem.js';

export class PlatformSignInMissing extends problem(
  'platform_sign_in_missing',
  'No identity provider is configured.',
) {}

export class ProviderUnavailable extends Problem {
  constructor(cause?: unknown) {
    super('provider_unavailable', 'Try again in a few seconds.', { retryAfter: 10, cause });
  }
}

/** An invalid response of the provider, or a browser without a matching authorization request: the sign-in must restart. */
export class SignInInterrupted extends Problem {
  constructor(cause?: unknown) {
    super('sign_in_interrupted', 'Restart the sign-in.', { cause });
  }
}

export type RefusalReason =
  | 'cancelled'
  | 'not_linked'
  | 'disabled'
  | 'tenant'
  | 'address_taken'
  | 'no_verified_email'
  | 'invalid_claim'
  | 'too_many_attributes';

const explanations: Record<RefusalReason, string> = {
  cancelled: 'The sign-in was cancelled, or the identity provider denied it.',
  not_linked: 'This identity has no access. Request an invitation.',
  disabled: 'Your account is disabled. Contact an administrator.',
  tenant: 'Users of your organization cannot sign in to this service.',
  address_taken:
    'An account with your email address already exists. Contact an administrator to link it to this identity.',
  no_verified_email: 'The identity provider did not provide a verified email address.',
  invalid_claim:
    'The identity provider sent an invalid claim. Contact an administrator: the audit trail records the claim.',
  too_many_attributes: `Your account would have more than ${MAX_ATTRIBUTES} attributes. Contact an administrator.`,
};

export class SignInRefused extends Problem {
  constructor(
    readonly reason: RefusalReason,
    /** The affected user, if known. */
    readonly userId: string | null = null,
    cause?: unknown,
  ) {
    super('sign_in_refused', explanations[reason], { cause });
  }
}

/** A claim that violates the API's rules for the same value. Storing it altered could merge two users. */
export class InvalidClaim extends SignInRefused {
  constructor(readonly claim: string) {
    super('invalid_claim');
  }
}

export class InvalidSubjectToken extends Problem {
  constructor(cause?: unknown) {
    super(
      'invalid_subject_token',
      'Send an unexpired token that the identity provider issued for this service.',
      { cause },
    );
  }
}

/** A subject token opens only one session. */
export class SubjectTokenReused extends problem(
  'invalid_subject_token',
  'This token was already exchanged. Request a new token, or refresh the session.',
) {}

export class IdentityTaken extends Problem {
  readonly reason = 'identity_taken';

  constructor(
    /** The user who has the identity, of a sign-in. */
    readonly userId: string | null = null,
  ) {
    super('identity_taken', 'Unlink the identity from its current account first.');
  }
}

/** The invitation was sent to another address than that of the account of this identity. */
export class InvitationMailed extends Problem {
  readonly reason = 'identity_taken';
  readonly userId = null;

  constructor() {
    super(
      'identity_taken',
      'Your account has another address. Open the link in the email that was just sent to the invited address, and sign in with this account to add the invitation to it.',
    );
  }
}

export class IdentityNotFound extends problem(
  'identity_not_found',
  'This user has no identity with this id.',
) {}
