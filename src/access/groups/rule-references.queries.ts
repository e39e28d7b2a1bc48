import type { EntityManager } from 'typeorm';
import { execute } from '../../core/database/execute.js';

export type ReferenceKind = 'workspace' | 'report' | 'group';

/** What a rule names, and the id that the name is bound to. */
export interface StoredReference {
  reference: string;
  /** Null before the first resolution. */
  targetId: string | null;
  unresolvedSince: Date | null;
}

const columns = 'reference, bound_id AS "targetId", unresolved_since AS "unresolvedSince"';

export async function findReferences(
  manager: EntityManager,
  kind: ReferenceKind,
  references: readonly string[],
): Promise<StoredReference[]> {
  const { rows } = await execute<StoredReference>(
    manager,
    `SELECT ${columns} FROM rule_references WHERE kind = $1 AND reference = ANY($2::text[])`,
    [kind, references],
  );
  return rows;
}

/** Returns those that differ from what was stored, to exactly one of several concurrent transactions. */
export const storeReferences = (
  tx: EntityManager,
  kind: ReferenceKind,
  references: readonly StoredReference[],
): Promise<StoredReference[]> =>
  // Ordered, so that concurrent transactions wait for each other in one direction.
  tx.query(
    `INSERT INTO rule_references AS stored (kind, reference, bound_id, unresolved_since)
     SELECT $1, * FROM unnest($2::text[], $3::uuid[], $4::timestamptz[]) ORDER BY 2
     ON CONFLICT (kind, reference) DO UPDATE
       SET bound_id = excluded.bound_id, unresolved_since = excluded.unresolved_since
       WHERE (stored.bound_id, stored.unresolved_since IS NULL)
         IS DISTINCT FROM (excluded.bound_id, excluded.unresolved_since IS NULL)
     RETURNING ${columns}`,
    [
      kind,
      references.map(({ reference }) => reference),
      references.map(({ targetId }) => targetId),
      references.map(({ unresolvedSince }) => unresolvedSince),
    ],
  );

/** Those of the ids that some reference is bound to. */
export async function boundAmong(
  manager: EntityManager,
  kinds: readonly ReferenceKind[],
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await execute<{ id: string }>(
    manager,
    'SELECT bound_id AS id FROM rule_references WHERE kind = ANY($1::text[]) AND bound_id = ANY($2::uuid[])',
    [kinds, ids],
  );
  return new Set(rows.map(({ id }) => id));
}
