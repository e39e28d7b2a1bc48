import type { Topic } from './help.js';

/** Codes for outages. */
export const outages = {
  internal_error: {
    means:
      'A defect in the service. The response contains no details; the log contains the error under the `request_id`.',
    caller: 'Try again once. If the error persists, report it with the `request_id`.',
    operator: 'Find the log line of that `request_id` (level `error`) and report it with its stack trace.',
  },
  service_unavailable: {
    means:
      'The replica is not ready or is shutting down, too many users sign in at the same time, or the database is busy.',
    caller: 'Try again after `Retry-After`.',
    operator:
      'Check `/readyz` and the startup log: a replica waits for its database, for migrations and, with `SYNC_BEFORE_READY`, for the first sync. If it happens during sign-ins, add replicas or cores: hashing one password takes a core a few hundredths of a second.',
  },
  overloaded: {
    means:
      'The replica has reached its limit of concurrent requests, or its event loop is delayed. The request was not processed.',
    caller: 'Try again after `Retry-After`, with exponential backoff.',
    operator:
      'Add replicas or cores. `MAX_REQUESTS_IN_FLIGHT`, `SHED_LOOP_DELAY_MS` and `SHED_LOOP_UTILIZATION_PERCENT` set the limits; the log shows which limit was reached.',
  },
  deadline_exceeded: {
    means:
      'The request exceeded `REQUEST_DEADLINE_SECONDS` (`EMBED_DEADLINE_SECONDS`). Its queries are canceled and its changes rolled back, unless the commit was already in progress.',
    caller: 'Try again. Repeat a change with the same `Idempotency-Key`, so that it is applied once.',
    operator: 'Check for slow queries and slow Power BI responses at that time.',
  },
  database_unavailable: {
    means: 'PostgreSQL does not respond, refuses connections, or is read-only.',
    caller: 'Try again after `Retry-After`.',
    operator:
      '`node bin/vitrine.js doctor` shows the reason. `DATABASE_POOL` times the number of replicas must stay below the `max_connections` of the server.',
  },
  provider_unavailable: {
    means: 'New sign-ins through the identity provider fail. Existing sessions continue.',
    caller: 'Try again after `Retry-After`.',
    operator:
      'Check that the service can reach `OIDC_ISSUER` and that its value is exactly the issuer in the provider’s discovery document.',
  },
} as const satisfies Topic;
