import { Problem } from '../core/problems/problem.js';

/** Thrown for an unknown, replaced, used or expired link. */
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
