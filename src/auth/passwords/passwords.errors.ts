import { Problem } from '../../core/problems/problem.js';

export class WrongPassword extends Problem {
  constructor() {
    const detail = 'This is not your current password.';
    super('wrong_password', detail, { errors: [{ pointer: '/current_password', detail }] });
  }
}
