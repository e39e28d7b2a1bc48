import { type EntityManager, In, IsNull } from 'typeorm';
import type { EndReason } from '../sessions.queries.js';
import { Session } from '../session.entity.js';

/** Ends every session of the person that rests on the provider's word. */
export async function endProviderSessions(
  tx: EntityManager,
  userId: string,
  reason: EndReason,
  now: Date,
): Promise<void> {
  const open = { userId, method: In(['oidc', 'exchange']), endedAt: IsNull() };
  await tx.update(Session, open, { endedAt: now, endReason: reason });
}
