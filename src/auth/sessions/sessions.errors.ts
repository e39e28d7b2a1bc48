import { Problem } from '../../core/problems/problem.js';

/** The same error for every failed sign-in, so that it does not reveal the reason. */
export class InvalidCredentials extends Problem {
  constructor() {
    super('invalid_credentials', 'The credentials are incorrect.');
  }
}

/** Also thrown for an expired token and for one of an ended session. */
export class InvalidRefreshToken extends Problem {
  constructor() {
    super('invalid_refresh_token', 'Sign in again.');
  }
}

/** Also thrown for an ended session and for one of another user. */
export class SessionNotFound extends Problem {
  constructor() {
    super('session_not_found', 'You have no session with this id.');
  }
}

/** Also thrown for a used or expired code, and for one of another portal. */
export class InvalidLoginCode extends Problem {
  constructor() {
    super('invalid_login_code', 'Sign in again.');
  }
}
