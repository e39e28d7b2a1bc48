import type { Topic } from './help.js';

/** When something is down. */
export const outages = {
  internal_error: {
    means: 'A mistake of ours. The answer tells nothing; the log has it under the `request_id`.',
    caller: 'Try again once. Report it with the `request_id`.',
    operator: 'Find the line of that `request_id` (level `error`) in the log, and report it with its stack.',
  },
  service_unavailable: {
    means:
      'This replica is not ready, is stopping, or has too much to do at this moment; or the database is busy.',
    caller: 'Try again after `Retry-After`.',
    operator:
      '`/readyz` and the log of the start tell whether it ever got ready: a replica waits for its database, for migrations, for the first sync with `SYNC_BEFORE_READY`. When it happens while people sign in, add replicas or cores: each password costs a core a few hundredths of a second.',
  },
  database_unavailable: {
    means: 'PostgreSQL does not answer, refuses connections, or is read-only.',
    caller: 'Try again after `Retry-After`.',
    operator:
      '`npx vitrine doctor` has the reason. `DATABASE_POOL` times the number of replicas must stay below the `max_connections` of the server.',
  },
  provider_unavailable: {
    means: 'Nobody new can sign in through it. Who is signed in stays signed in.',
    caller: 'Try again after `Retry-After`.',
    operator:
      'Check that the service reaches `OIDC_ISSUER`, and that it is spelt exactly as the provider names itself.',
  },
} as const satisfies Topic;
