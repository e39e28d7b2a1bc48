import type { EntityManager } from 'typeorm';

/** Deletes the stored responses to a user's requests and those that contain the user's email address. */
export async function deleteKeysOf(
  tx: EntityManager,
  { id, email }: { id: string; email: string },
): Promise<void> {
  await tx.query('DELETE FROM idempotency_keys WHERE user_id = $1', [id]);
  await tx.query(`DELETE FROM idempotency_keys WHERE body->>'email' = $1`, [email]);
}
