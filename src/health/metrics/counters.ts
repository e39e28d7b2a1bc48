import { Counter, Histogram, type Registry } from 'prom-client';
import { subscribe } from '../../core/telemetry/telemetry-events.js';
import { queues } from '../../core/database/queues.js';

const requestSeconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15];
const upstreamSeconds = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 12];
const groupSeconds = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10];
const jobSeconds = [0.1, 0.5, 1, 5, 15, 60, 300, 1800];

const statusClass = (status: number): string => (status === 499 ? 'gone' : `${Math.floor(status / 100)}xx`);

/** Updates the registry's counters from telemetry events. Returns a function that unsubscribes them. */
export function countEvents(registry: Registry): () => void {
  const registers = [registry];
  const counter = <L extends string = never>(name: string, help: string, labelNames: readonly L[] = []) =>
    new Counter({ name: `vitrine_${name}_total`, help, labelNames, registers });
  const histogram = <L extends string>(
    name: string,
    help: string,
    { labelNames, buckets }: { labelNames: readonly L[]; buckets: number[] },
  ) => new Histogram({ name: `vitrine_${name}_seconds`, help, labelNames, buckets, registers });

  const requests = histogram('http_request_duration', 'Requests by route template', {
    labelNames: ['method', 'route', 'status'],
    buckets: requestSeconds,
  });
  const upstream = histogram('upstream_call_duration', 'Attempts of calls to Power BI and Entra', {
    labelNames: ['upstream', 'operation', 'outcome'],
    buckets: upstreamSeconds,
  });
  const jobs = histogram('job_duration', 'Attempts of background jobs', {
    labelNames: ['queue', 'result'],
    buckets: jobSeconds,
  });
  const groups = histogram('group_change_duration', 'Changes of members of groups: people or groups', {
    labelNames: ['change', 'result'],
    buckets: groupSeconds,
  });
  const groupLocks = histogram(
    'group_lock_wait',
    'Waits for the lock of changes of groups in groups; busy: refused',
    {
      labelNames: ['result'],
      buckets: groupSeconds,
    },
  );
  const rollups = histogram('usage_rollup_duration', 'Rollups of usage figures', {
    labelNames: ['result'],
    buckets: jobSeconds,
  });
  const exports = histogram('report_export_duration', 'Exports of reports, from request to end', {
    labelNames: ['format', 'result'],
    buckets: jobSeconds,
  });
  const webhooks = histogram(
    'webhook_attempt_duration',
    'Attempts to deliver to webhooks; delivered: accepted',
    {
      labelNames: ['kind', 'result'],
      buckets: requestSeconds,
    },
  );
  const problems = counter('problems', 'Problem responses by code', ['code']);
  const tokens = counter('token_requests', 'Token requests by grant type and outcome', ['grant', 'outcome']);
  const locks = counter('account_locks', 'Accounts and addresses locked after failed sign-ins');
  const hashes = counter('password_hashes', 'Password hash computations by outcome', ['outcome']);
  const breaches = counter('breach_lookups', 'New passwords checked against breached passwords', ['outcome']);
  const audit = counter('audit_events', 'Audit events by action and outcome', ['action', 'outcome']);
  const reuse = counter('refresh_token_reuses', 'Sessions revoked because a refresh token was reused');
  const auditFailures = counter('audit_failures', 'Audit events that could not be written');
  const logFailures = counter('log_failures', 'Log lines that could not be written', ['reason']);
  const retries = counter('upstream_retries', 'Retries of upstream calls', ['upstream']);
  const pauses = counter('upstream_pauses', 'Throttle windows requested by an upstream', ['upstream']);
  const usage = counter('usage_events', 'Usage events by result', ['result']);
  const mails = counter('mails', 'Attempts to send emails; rejected: permanently, by the mail server', [
    'outcome',
  ]);

  // Series that an alert rule asks for the increase of: one that begins with its first event has none.
  problems.inc({ code: 'internal_error' }, 0);
  hashes.inc({ outcome: 'refused' }, 0);
  mails.inc({ outcome: 'rejected' }, 0);
  for (const reason of ['dropped', 'error']) logFailures.inc({ reason }, 0);
  for (const queue of Object.keys(queues)) jobs.zero({ queue, result: 'given_up' });
  groupLocks.zero({ result: 'busy' });
  upstream.zero({ upstream: 'entra', operation: 'signing_in', outcome: 'refused' });
  upstream.zero({ upstream: 'power_bi', operation: 'embedding', outcome: 'refused' });

  const listening = [
    subscribe('request_completed', ({ method, route, status, seconds }) =>
      requests.observe({ method, route, status: statusClass(status) }, seconds),
    ),
    subscribe('upstream_called', ({ seconds, ...labels }) => upstream.observe(labels, seconds)),
    subscribe('group_changed', ({ seconds, ...labels }) => groups.observe(labels, seconds)),
    subscribe('group_lock_waited', ({ seconds, ...labels }) => groupLocks.observe(labels, seconds)),
    subscribe('job_done', ({ seconds, ...labels }) => jobs.observe(labels, seconds)),
    subscribe('mail_attempted', (labels) => mails.inc(labels)),
    subscribe('problem_sent', (labels) => problems.inc(labels)),
    subscribe('token_requested', (labels) => tokens.inc(labels)),
    subscribe('account_locked', () => locks.inc()),
    subscribe('password_hashed', (labels) => hashes.inc(labels)),
    subscribe('breach_looked_up', (labels) => breaches.inc(labels)),
    subscribe('audit_recorded', ({ action, outcome }) => {
      audit.inc({ action, outcome });
      if (action === 'refresh_token_reused') reuse.inc();
    }),
    subscribe('audit_failed', () => auditFailures.inc()),
    subscribe('log_failed', (labels) => logFailures.inc(labels)),
    subscribe('upstream_retried', (labels) => retries.inc(labels)),
    subscribe('usage_rolled_up', ({ seconds, ...labels }) => rollups.observe(labels, seconds)),
    subscribe('usage_events_received', ({ result, count }) => usage.inc({ result }, count)),
    subscribe('report_export_ended', ({ seconds, ...labels }) => exports.observe(labels, seconds)),
    subscribe('webhook_attempted', ({ seconds, ...labels }) => webhooks.observe(labels, seconds)),
    subscribe('upstream_paused', (labels) => pauses.inc(labels)),
  ];
  return () => listening.forEach((stop) => stop());
}
