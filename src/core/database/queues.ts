import type { Queue } from 'pg-boss';

/** Eight attempts within about four hours. */
const mail = {
  notify: true,
  retryLimit: 7,
  retryDelay: 60,
  retryBackoff: true,
  retryDelayMax: 7200,
  expireInSeconds: 60,
} as const;

const cleanup = { retryLimit: 5, retryDelay: 60, retryBackoff: true, expireInSeconds: 600 } as const;

/** All queues and their retry policies (delays in seconds, doubling up to the maximum). */
export const queues = {
  invitation_mail: mail,
  // A reset link is valid for 30 minutes: a later mail would be useless.
  password_reset_mail: { ...mail, retryLimit: 5, retryDelay: 30 },
  password_changed_mail: mail,
  email_changed_mail: mail,
  access_request_mail: mail,
  webhook_mail: mail,
  // One at a time across all replicas; another replica takes over when the heartbeat stops.
  catalogue_sync: {
    notify: true,
    policy: 'singleton',
    // Seven attempts within about six minutes: a failover of the database may take as long.
    retryLimit: 6,
    retryDelay: 5,
    retryBackoff: true,
    retryDelayMax: 120,
    // A large tenant takes hours: the admin API allows 50 calls an hour, each for at most 200 workspaces.
    expireInSeconds: 86_400,
    heartbeatSeconds: 20,
  },
  invitation_cleanup: cleanup,
  sync_cleanup: cleanup,
  access_request_cleanup: cleanup,
  // One step of an export: start, poll or download. Another replica takes over when the heartbeat stops.
  report_export: {
    notify: true,
    retryLimit: 5,
    retryDelay: 2,
    retryBackoff: true,
    retryDelayMax: 60,
    expireInSeconds: 1800,
    heartbeatSeconds: 20,
  },
  report_export_cleanup: cleanup,
  session_cleanup: cleanup,
  scim_cleanup: cleanup,
  audit_cleanup: cleanup,
  event_cleanup: cleanup,
  favourite_cleanup: cleanup,
  idempotency_cleanup: cleanup,
  issued_token_cleanup: cleanup,
  saved_view_cleanup: cleanup,
  // Every minute: a failed attempt is not repeated, and two never run at the same time.
  dataset_refreshes: { policy: 'singleton', retryLimit: 0, expireInSeconds: 120 },
  webhook_cleanup: cleanup,
  usage_rollup: cleanup,
  usage_cleanup: cleanup,
} as const satisfies Record<string, Omit<Queue, 'name'>>;

export type QueueName = keyof typeof queues;
