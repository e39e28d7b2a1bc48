import { Problem, problem } from '../core/problems/problem.js';

export class PasswordSignInDisabled extends problem(
  'password_sign_in_disabled',
  'Sign in through your organization.',
) {}

export class AdminRequired extends problem(
  'access_denied',
  'This action requires the platform role admin.',
) {}

export class ScopeRequired extends Problem {
  constructor(scope: string) {
    super('access_denied', `This action requires a service account with the scope ${scope}.`);
  }
}

export class UnsupportedGrantType extends Problem {
  constructor(known: readonly string[]) {
    const detail = `grant_type must be one of: ${known.join(', ')}`;
    super('unsupported_grant_type', detail, { errors: [{ pointer: '/grant_type', detail }] });
  }
}
