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

/** Also for a session that is somebody else's, or over. */
export class SessionNotFound extends Problem {
  constructor() {
    super('session_not_found', 'You have no session of this id.');
  }
}
