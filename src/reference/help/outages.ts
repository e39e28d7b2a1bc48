import type { Topic } from './help.js';

/** Codes for outages. */
export const outages = {
  internal_error: {
    means: 'A mistake of ours. The answer tells nothing; the log has it under the `request_id`.',
    caller: 'Try again once. Report it with the `request_id`.',
    operator: 'Find the line of that `request_id` (level `error`) in the log, and report it with its stack.',
  },
  service_unavailable: {
    means:
      'This replica is not ready or is stopping, too many people sign in at once, or the database is busy.',
    caller: 'Try again after `Retry-After`.',
    operator:
      '`/readyz` and the log of the start tell whether it ever got ready: a replica waits for its database, for migrations, for the first sync with `SYNC_BEFORE_READY`. When it happens while people sign in, add replicas or cores: each password costs a core a few hundredths of a second.',
  },
  overloaded: {
    means:
      'This replica has more requests at work than it takes on, or its event loop comes too late. Nothing was begun.',
    caller: 'Try again after `Retry-After`, later each time.',
    operator:
      'Add replicas or cores. `MAX_REQUESTS_IN_FLIGHT`, `SHED_LOOP_DELAY_MS` and `SHED_LOOP_UTILIZATION_PERCENT` are the bounds; the log says which of them it was.',
  },
  deadline_exceeded: {
    means:
      'It was not done after `REQUEST_DEADLINE_SECONDS` (`EMBED_DEADLINE_SECONDS`): its queries were cancelled and its changes rolled back, unless the very last step was under way.',
    caller: 'Try again; a change with the same `Idempotency-Key`, so that it happens once.',
    operator: 'Look for slow queries and for a slow Power BI at that time.',
  },
  database_unavailable: {
    means: 'PostgreSQL does not answer, refuses connections, or is read-only.',
    caller: 'Try again after `Retry-After`.',
    operator:
      '`node bin/vitrine.js doctor` has the reason. `DATABASE_POOL` times the number of replicas must stay below the `max_connections` of the server.',
  },
  provider_unavailable: {
    means: 'Nobody new can sign in through it. Who is signed in stays signed in.',
    caller: 'Try again after `Retry-After`.',
    operator:
      'Check that the service reaches `OIDC_ISSUER`, and that it is spelt exactly as the provider names itself.',
  },
} as const satisfies Topic;
