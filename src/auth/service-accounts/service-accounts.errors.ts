import { problem } from '../../core/problems/problem.js';

export class ServiceAccountNotFound extends problem(
  'service_account_not_found',
  'No service account has this id.',
) {}

export class SecretNotFound extends problem(
  'secret_not_found',
  'This service account has no secret with this id.',
) {}

export class TooManySecrets extends problem('too_many_secrets', 'Remove one of the two secrets first.') {}
