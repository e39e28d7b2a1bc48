// SQL, because a lease skips locked rows and uses the time of the database.
import { type EntityManager, IsNull, MoreThan } from 'typeorm';
import { execute } from '../../core/database/execute.js';
import { timeAfter } from '../outbox/event-periods.queries.js';
import { Webhook, WebhookSecret } from './webhook.entity.js';
import { WebhookNotFound } from './webhooks.errors.js';

/** A worker that ends without releasing its endpoint blocks it this long. */
const LEASE_SECONDS = 30;
/** An attempt that starts by then ends within the lease. */
const START_MS = 10_000;

const leaseEnd = `clock_timestamp() + make_interval(secs => ${LEASE_SECONDS})`;

/** Throws WebhookNotFound. */
export async function lockWebhook(tx: EntityManager, id: string): Promise<Webhook> {
  const webhook = await tx.findOne(Webhook, { where: { id }, lock: { mode: 'pessimistic_write' } });
  if (webhook === null) throw new WebhookNotFound();
  return webhook;
}

interface Claim {
  worker: string;
  now: Date;
  /** Seq of the last event. */
  head: number;
  limit: number;
}

/**
 * Leases endpoints that have something to deliver now and no worker. The lease uses the time of the database, because
 * the clocks of replicas differ. Returns their ids.
 */
export async function claimWebhooks(
  manager: EntityManager,
  { worker, now, head, limit }: Claim,
): Promise<string[]> {
  const { rows } = await execute<{ id: string }>(
    manager,
    `UPDATE webhooks SET leased_by = $1, leased_until = ${leaseEnd} WHERE id IN (
       SELECT id FROM webhooks AS due
       WHERE status = 'active' AND (leased_until IS NULL OR leased_until < clock_timestamp())
         AND (position < $3 AND next_attempt_at <= $2 OR EXISTS (SELECT FROM webhook_redeliveries AS redelivery
           WHERE redelivery.webhook_id = due.id AND redelivery.next_attempt_at <= $2))
       ORDER BY next_attempt_at LIMIT $4 FOR UPDATE SKIP LOCKED)
     RETURNING id`,
    [worker, now, head, limit],
  );
  return rows.map(({ id }) => id);
}

/** An endpoint and until when its worker may start an attempt, on the clock of `performance.now()`. */
export interface Leased extends Webhook {
  startBefore: number;
}

/** Extends the worker's lease. Returns undefined if it has lost the endpoint or the endpoint is disabled. */
export async function renewLease(
  manager: EntityManager,
  id: string,
  worker: string,
): Promise<Leased | undefined> {
  const startBefore = performance.now() + START_MS;
  const { rows } = await execute<Webhook>(
    manager,
    `UPDATE webhooks SET leased_until = ${leaseEnd}
     WHERE id = $1 AND leased_by = $2 AND leased_until > clock_timestamp() AND status = 'active'
     RETURNING id, url, types, status, disabled_reason AS "disabledReason", created_at AS "createdAt", position,
       failures, failing_since AS "failingSince", next_attempt_at AS "nextAttemptAt", leased_by AS "leasedBy",
       leased_until AS "leasedUntil"`,
    [id, worker],
  );
  return rows[0] && { ...rows[0], startBefore };
}

export const releaseLease = (manager: EntityManager, id: string, worker: string): Promise<unknown> =>
  manager.update(Webhook, { id, leasedBy: worker }, { leasedBy: null, leasedUntil: null });

interface Progress {
  id: string;
  worker: string;
  from: number;
  to: number;
}

/**
 * Moves the position of an endpoint after a success and ends the wait after failures. Returns false if another worker
 * has taken over.
 */
export const advance = (tx: EntityManager, progress: Progress, now: Date): Promise<boolean> =>
  move(tx, progress, { failures: 0, failingSince: null, nextAttemptAt: now });

/** Moves the position past events of other types, without an attempt. */
export const skip = (manager: EntityManager, progress: Progress): Promise<boolean> =>
  move(manager, progress, {});

/** Moves the position of a redelivery past events that it does not send. Returns false if another worker has taken over. */
export async function skipInRedelivery(
  manager: EntityManager,
  { id, worker, from, to }: Progress,
): Promise<boolean> {
  const { rows } = await execute(
    manager,
    `UPDATE webhook_redeliveries AS redelivery SET position = $4 FROM webhooks
     WHERE redelivery.id = $1 AND redelivery.position = $3
       AND webhooks.id = redelivery.webhook_id AND webhooks.leased_by = $2
     RETURNING redelivery.id`,
    [id, worker, from, to],
  );
  return rows.length === 1;
}

async function move(
  manager: EntityManager,
  { id, worker, from, to }: Progress,
  changes: Partial<Webhook>,
): Promise<boolean> {
  const current = { id, leasedBy: worker, position: String(from) };
  const { affected } = await manager.update(Webhook, current, { ...changes, position: String(to) });
  return affected === 1;
}

/** Sealed secrets that sign, newest first. */
export async function liveSecrets(manager: EntityManager, webhookId: string, now: Date): Promise<Buffer[]> {
  const live = await manager.find(WebhookSecret, {
    where: [
      { webhookId, expiresAt: IsNull() },
      { webhookId, expiresAt: MoreThan(now) },
    ],
    select: { id: true, sealed: true },
    order: { createdAt: 'DESC', id: 'DESC' },
    take: 2,
  });
  return live.map(({ sealed }) => sealed);
}

/** Age in seconds of the oldest event that an active endpoint has not delivered; 0 without one. */
export async function backlogSeconds(manager: EntityManager, now: Date): Promise<number> {
  const first = await manager.findOne(Webhook, {
    where: { status: 'active' },
    select: { id: true, position: true },
    order: { position: 'ASC' },
  });
  const at = first === null ? undefined : await timeAfter(manager, Number(first.position));
  return at === undefined ? 0 : Math.max(0, (now.getTime() - at.getTime()) / 1000);
}
