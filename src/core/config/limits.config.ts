import type { Environment } from './environment.js';

function readRateLimits(env: Environment) {
  const perPerson = env.integer(
    'RATE_LIMIT_API_PER_MINUTE',
    'Requests per user and minute; the limit for new embed tokens is a tenth of it. 0 disables both limits',
    { min: 0, max: 1_000_000, fallback: 600 },
  );
  const perAddress = env.integer(
    'RATE_LIMIT_ADDRESS_PER_MINUTE',
    'Requests per client address and minute. Defaults to twice RATE_LIMIT_API_PER_MINUTE; 0 disables the limit',
    { min: 0, max: 2_000_000, fallback: 2 * perPerson },
  );
  const perServiceAccount = env.integer(
    'RATE_LIMIT_SERVICE_ACCOUNT_PER_MINUTE',
    'Requests per service account and minute, each of which may be for a new embed token. Defaults to twice RATE_LIMIT_API_PER_MINUTE; 0 disables the limit',
    { min: 0, max: 2_000_000, fallback: 2 * perPerson },
  );
  return { perPerson, perAddress, perServiceAccount };
}

/** Rate limits and their store. */
export function readLimits(root: Environment) {
  const env = root.group('Limits');
  return {
    api: readRateLimits(env),
    signInPerAddress: env.integer(
      'RATE_LIMIT_SIGN_IN_PER_IP',
      'Failed password sign-ins per client address in 5 minutes. The limit of a day is 100, or this number if it is higher; 0 disables all limits of the token request that apply per address only',
      { min: 0, max: 1_000_000, fallback: 30 },
    ),
    signInSuccessesPerAddress: env.integer(
      'RATE_LIMIT_SIGN_IN_SUCCESSES_PER_IP',
      'Successful password sign-ins per client address in 5 minutes, such as those of an office behind one address. Each costs one core about 9 ms (argon2id): 600 are 2 % of a core. 0 disables the limit',
      { min: 0, max: 1_000_000, fallback: 600 },
    ),
    refreshGraceSeconds: env.integer(
      'REFRESH_GRACE_SECONDS',
      'Seconds for which a replaced refresh token, or a token that was exchanged, returns the same session again: for a lost response and for several tabs. Longer than the timeout of the client; that of the portal is 15 s',
      { min: 0, max: 60, fallback: 30 },
    ),
    invitationMailsPerHour: env.integer(
      'RATE_LIMIT_INVITATIONS_PER_HOUR',
      'Invitation emails per inviter and hour; 0 disables the limit',
      { min: 0, max: 1_000_000, fallback: 30 },
    ),
    bulkInvitationsPerDay: env.integer(
      'RATE_LIMIT_BULK_INVITATIONS_PER_DAY',
      'Invitation emails per inviter and day from `POST /api/invitations/bulk` and `/resend`, besides the others; 0 disables the limit',
      { min: 0, max: 1_000_000, fallback: 2000 },
    ),
    redisUrl: env.optionalSecretUrl(
      'REDIS_URL',
      'Redis for rate limits that replicas share. Without Redis, sign-in attempts are counted in PostgreSQL and requests per replica',
      ['redis:', 'rediss:'],
    ),
  };
}
