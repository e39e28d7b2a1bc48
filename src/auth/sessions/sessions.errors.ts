import { problem } from '../../core/problems/problem.js';

/** The same error for every failed sign-in, so that it does not reveal the reason. */
export class InvalidCredentials extends problem('invalid_credentials', 'The credentials are incorrect.') {}

/** Also thrown for an expired token and for one of an ended session. */
export class InvalidRefreshToken extends problem('invalid_refresh_token', 'Sign in again.') {}

/** Also thrown for an ended session and for one of another user. */
export class SessionNotFound extends problem('session_not_found', 'You have no session with this id.') {}

/** Also thrown for a used or expired code, and for one of another portal. */
export class InvalidLoginCode extends problem('invalid_login_code', 'Sign in again.') {}
