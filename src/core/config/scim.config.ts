import type { Environment } from './environment.js';

/** Provisioning by an identity provider. */
export function readScim(root: Environment) {
  const env = root.group('Provisioning (SCIM)');
  return {
    eraseAfterDays: env.integer(
      'SCIM_ERASE_AFTER_DAYS',
      'Days until the personal data of a person whom SCIM deleted is erased; 0: only by an admin',
      { min: 0, max: 3650, fallback: 30 },
    ),
  };
}
