import { Problem } from '../core/problems/problem.js';

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
