import { isDeepStrictEqual } from 'node:util';
import type { EntityManager } from 'typeorm';

/** Ids of all active admins who are people, locked in one order: of two demotions at once the second sees the first. */
export async function lockActiveAdmins(tx: EntityManager): Promise<string[]> {
  const rows = await tx.query<{ id: string }[]>(
    `SELECT id FROM users WHERE role = 'admin' AND status = 'active' AND kind = 'person' ORDER BY id FOR UPDATE`,
  );
  return rows.map(({ id }) => id);
}

/** What a change really changes, for the audit trail. */
export function differences(before: object, changes: object): Record<string, { from: unknown; to: unknown }> {
  const had = before as Record<string, unknown>;
  const entries = Object.entries(changes)
    .filter(([name, value]) => value !== undefined && !isDeepStrictEqual(had[name], value))
    .map(([name, value]) => [name, { from: had[name], to: value as unknown }] as const);
  return Object.fromEntries(entries);
}
