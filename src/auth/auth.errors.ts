import { Problem } from '../core/problems/problem.js';

/** The one answer to every sign-in that fails, whatever the reason. */
export class InvalidCredentials extends Problem {
  constructor() {
    super('invalid_credentials', 'The e-mail or the password is wrong.');
  }
}

/** Also for one that ran out or whose session was ended. */
export class InvalidRefreshToken extends Problem {
  constructor() {
    super('invalid_refresh_token', 'Sign in again.');
  }
}

/** Made up, replaced by a newer one, used, or too old. */
export class InvalidPasswordReset extends Problem {
  constructor() {
    super('invalid_password_reset', 'Ask for a new link.');
  }
}

export class WrongPassword extends Problem {
  constructor() {
    const detail = 'This is not your current password.';
    super('wrong_password', detail, { errors: [{ pointer: '/current_password', detail }] });
  }
}

/** The same for every limit: which one it was is nobody's business. */
export class TooManyAttempts extends Problem {
  constructor(retryAfter: number) {
    super('rate_limited', 'Too many attempts. Try again later.', { retryAfter });
  }
}

/** Also for one that was used, ran out, or belongs to another portal. */
export class InvalidLoginCode extends Problem {
  constructor() {
    super('invalid_login_code', 'Sign in again.');
  }
}

export class PasswordSignInDisabled extends Problem {
  constructor() {
    super('password_sign_in_disabled', 'Sign in through your organisation.');
  }
}

export class UnsupportedGrantType extends Problem {
  constructor(known: readonly string[]) {
    const detail = `grant_type must be one of: ${known.join(', ')}`;
    super('unsupported_grant_type', detail, { errors: [{ pointer: '/grant_type', detail }] });
  }
}

/** Also for a session that is somebody else's, or over. */
export class SessionNotFound extends Problem {
  constructor() {
    super('session_not_found', 'You have no session of this id.');
  }
}
