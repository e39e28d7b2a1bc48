import { InvalidRequest, Problem, problem } from '../core/problems/problem.js';

export class UserNotFound extends problem('user_not_found', 'No user has this id.') {}

export class PasswordRejected extends Problem {
  constructor(detail: string, pointer = '/password') {
    super('password_rejected', detail, { errors: [{ pointer, detail }] });
  }
}

export class LastAdmin extends problem(
  'last_admin',
  'This is the last active administrator. Assign the admin role to another user first.',
) {}

/** Of a new email address. */
export class EmailTaken extends Problem {
  constructor() {
    const detail = 'another user has this email address';
    super('conflict', 'Another user has this email address.', { errors: [{ pointer: '/email', detail }] });
  }
}

/** Of a person whom SCIM manages, or of a service account. */
export class EmailNotChangeable extends InvalidRequest {
  constructor(detail: string) {
    super([{ pointer: '/email', detail }]);
  }
}

export class UserNotDisabled extends problem('user_not_disabled', 'Disable the user first.') {}

/** The provider's rules would set more attributes than the API allows. */
export class TooManyAttributes extends Error {}

/** Thrown for an unknown, replaced, used or expired link. */
export class InvalidPasswordReset extends problem('invalid_password_reset', 'Request a new link.') {}
