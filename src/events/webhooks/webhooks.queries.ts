import type { EntityManager } from 'typeorm';
import { execute } from '../../core/database/execute.js';
import { Webhook } from './webhook.entity.js';
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
  execute(
    manager,
    'UPDATE webhooks SET leased_by = NULL, leased_until = NULL WHERE id = $1 AND leased_by = $2',
    [id, worker],
  );

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
export async function advance(
  tx: EntityManager,
  { id, worker, from, to }: Progress,
  now: Date,
): Promise<boolean> {
  const { rowCount } = await execute(
    tx,
    `UPDATE webhooks SET position = $4, failures = 0, failing_since = NULL, next_attempt_at = $5
     WHERE id = $1 AND leased_by = $2 AND position = $3`,
    [id, worker, from, to, now],
  );
  return rowCount === 1;
}

/** Moves the position past events of other types, without an attempt. */
export async function skip(manager: EntityManager, { id, worker, from, to }: Progress): Promise<boolean> {
  const { rowCount } = await execute(
    manager,
    'UPDATE webhooks SET position = $4 WHERE id = $1 AND leased_by = $2 AND position = $3',
    [id, worker, from, to],
  );
  return rowCount === 1;
}

/** Sealed secrets that sign, newest first. */
export async function liveSecrets(manager: EntityManager, webhookId: string, now: Date): Promise<Buffer[]> {
  const { rows } = await execute<{ sealed: Buffer }>(
    manager,
    `SELECT sealed FROM webhook_secrets WHERE webhook_id = $1 AND (expires_at IS NULL OR expires_at > $2)
     ORDER BY created_at DESC, id DESC LIMIT 2`,
    [webhookId, now],
  );
  return rows.map(({ sealed }) => sealed);
}

export const deleteRedeliveries = (tx: EntityManager, webhookId: string): Promise<unknown> =>
  tx.query('DELETE FROM webhook_redeliveries WHERE webhook_id = $1', [webhookId]);

/** Deletes at most `limit` attempts that were made before this time. Returns how many it deleted. */
export async function deleteDeliveries(tx: EntityManager, before: Date, limit: number): Promise<number> {
  const { rowCount } = await execute(
    tx,
    `DELETE FROM webhook_deliveries WHERE id IN
       (SELECT id FROM webhook_deliveries WHERE at < $1 ORDER BY at LIMIT $2 FOR UPDATE SKIP LOCKED)`,
    [before, limit],
  );
  return rowCount ?? 0;
}
