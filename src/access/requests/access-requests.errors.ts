import { Problem, problem } from '../../core/problems/problem.js';

/** Also thrown for a request that the caller may not decide. */
export class AccessRequestNotFound extends problem(
  'access_request_not_found',
  'You can decide no access request with this id.',
) {}

export class AccessRequestDecided extends problem(
  'access_request_decided',
  'Another manager or administrator has already approved or declined it.',
) {}

export class RequesterDisabled extends problem(
  'user_disabled',
  'The account of the requester is disabled.',
) {}

export class TooManyAccessRequests extends Problem {
  constructor(retryAfter: number) {
    super('rate_limited', 'You have sent too many access requests. Try again later.', { retryAfter });
  }
}
