import { Problem } from '../../core/problems/problem.js';

export class ServiceAccountNotFound extends Problem {
  constructor() {
    super('service_account_not_found', 'No service account has this id.');
  }
}

export class SecretNotFound extends Problem {
  constructor() {
    super('secret_not_found', 'This service account has no secret with this id.');
  }
}

export class TooManySecrets extends Problem {
  constructor() {
    super('too_many_secrets', 'Remove one of the two secrets first.');
  }
}
