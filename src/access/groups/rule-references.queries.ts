// SQL, because an upsert must skip what did not change, for exactly one of several transactions.
import { Any, type EntityManager } from 'typeorm';
import { queryRows } from '../../core/database/execute.js';
import { type ReferenceKind, RuleReference } from './rule-reference.entity.js';

export type StoredReference = Omit<RuleReference, 'kind'>;

const columns = 'reference, bound_id AS "targetId", unresolved_since AS "unresolvedSince"';

export const findReferences = (
  manager: EntityManager,
  kind: ReferenceKind,
  references: readonly string[],
): Promise<StoredReference[]> => manager.findBy(RuleReference, { kind, reference: Any([...references]) });

/** Returns those that differ from what was stored, to exactly one of several concurrent transactions. */
export function storeReferences(
  tx: EntityManager,
  kind: ReferenceKind,
  references: readonly StoredReference[],
): Promise<StoredReference[]> {
  // Ordered, so that concurrent transactions wait for each other in one direction.
  return queryRows<StoredReference>(
    tx,
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
}

/** Those of the ids that some reference is bound to. */
export async function boundAmong(
  manager: EntityManager,
  kinds: readonly ReferenceKind[],
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const where = { kind: Any([...kinds]), targetId: Any([...ids]) };
  return new Set((await manager.findBy(RuleReference, where)).flatMap(({ targetId }) => targetId ?? []));
}
