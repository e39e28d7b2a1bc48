import type { EntityManager } from 'typeorm';

export const deleteIdentitiesOf = (tx: EntityManager, userId: string): Promise<unknown> =>
  tx.query('DELETE FROM user_identities WHERE user_id = $1', [userId]);
