import { MAX_ATTRIBUTES } from '../core/validation/text.js';
import { Problem } from '../core/problems/problem.js';

export class PlatformSignInMissing extends Problem {
  constructor() {
    super('platform_sign_in_missing', 'No identity provider is configured.');
  }
}

export class ProviderUnavailable extends Problem {
  constructor(cause: unknown) {
    super('provider_unavailable', 'Try again in a moment.', { retryAfter: 10, cause });
  }
}

/** An invalid response of the provider, or a browser without a matching authorization request: the sign-in must restart. */
export class SignInInterrupted extends Problem {
  constructor(cause?: unknown) {
    super('sign_in_interrupted', 'Start signing in again.', { cause });
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
  cancelled: 'The identity provider did not let you in.',
  not_linked: 'Nobody has given this identity access. Ask for an invitation.',
  disabled: 'Your access has been switched off. Ask an admin.',
  tenant: 'People of your organisation cannot sign in here.',
  address_taken: 'There is an account with your address already. Ask an admin to link it to this identity.',
  no_verified_email: 'The identity provider does not vouch for your e-mail address.',
  invalid_claim: 'The identity provider sent an invalid claim. Ask an admin: the audit trail names it.',
  too_many_attributes: `Your account would have more than ${MAX_ATTRIBUTES} attributes. Ask an admin.`,
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
    super('invalid_subject_token', 'Send a current token of the identity provider, made for this service.', {
      cause,
    });
  }
}

/** A subject token opens only one session. */
export class SubjectTokenReused extends Problem {
  constructor() {
    super('invalid_subject_token', 'This token was exchanged before. Get a new one, or refresh the session.');
  }
}

export class IdentityTaken extends Problem {
  constructor() {
    super('identity_taken', 'Unlink it from the account that has it first.');
  }
}

export class IdentityNotFound extends Problem {
  constructor() {
    super('identity_not_found', 'This person has no identity of this id.');
  }
}
