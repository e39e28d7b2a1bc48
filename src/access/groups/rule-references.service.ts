import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AuditService } from '../../platform/audit/audit.service.js';
import { Clock } from '../../core/clock.js';
import type { ReferenceKind } from './rule-reference.entity.js';
import { findReferences, type StoredReference, storeReferences } from './rule-references.queries.js';

/** References of one kind in rules, with what they match now. */
export interface NamedTargets {
  kind: ReferenceKind;
  /** The ids of the present targets with this name, Power BI id or id. */
  matches: ReadonlyMap<string, readonly string[]>;
  /** For each of the ids that exists, whether it is present: not retired. */
  presenceOf: (ids: readonly string[]) => Promise<ReadonlyMap<string, boolean>>;
}

/** Why a rule adds and removes nothing: nothing or several match the reference, or what it is bound to is retired. */
export type ReferenceProblem = 'missing' | 'ambiguous' | 'retired';

export interface UnresolvedReference {
  kind: ReferenceKind;
  reference: string;
  problem: ReferenceProblem;
}

export interface Resolution {
  /** Null if the reference never matched exactly one target. */
  id: string | null;
  /** Null if the rule can add rights. */
  problem: ReferenceProblem | null;
}

const isSame = (now: StoredReference, stored?: StoredReference): boolean =>
  stored !== undefined &&
  stored.targetId === now.targetId &&
  (stored.unresolvedSince === null) === (now.unresolvedSince === null);

/**
 * Binds what a rule names to the id that the name matches at first: neither a new name nor another target of the name
 * changes who has access. Only a target that no longer exists is looked up again.
 */
@Injectable()
export class RuleReferencesService {
  constructor(
    private readonly audit: AuditService,
    private readonly clock: Clock,
  ) {}

  async resolve(manager: EntityManager, named: NamedTargets): Promise<ReadonlyMap<string, Resolution>> {
    return (await this.read(manager, named)).resolved;
  }

  private async read(manager: EntityManager, { kind, matches, presenceOf }: NamedTargets) {
    const found = matches.size === 0 ? [] : await findReferences(manager, kind, [...matches.keys()]);
    const stored = new Map(found.map((each) => [each.reference, each]));
    const ids = found.flatMap(({ targetId }) => targetId ?? []);
    const presence = ids.length === 0 ? new Map<string, boolean>() : await presenceOf(ids);
    const resolved = new Map(
      [...matches].map(([reference, targets]): [string, Resolution] => {
        const known = stored.get(reference)?.targetId ?? '';
        const isPresent = presence.get(known);
        if (isPresent !== undefined) return [reference, { id: known, problem: isPresent ? null : 'retired' }];
        const [id = null] = targets;
        if (targets.length === 1) return [reference, { id, problem: null }];
        return [reference, { id: null, problem: id === null ? 'missing' : 'ambiguous' }];
      }),
    );
    return { resolved, stored };
  }

  /** Resolves, stores the result and records each change of it once. */
  async bind(tx: EntityManager, named: NamedTargets): Promise<ReadonlyMap<string, Resolution>> {
    const { resolved, stored } = await this.read(tx, named);
    const now = this.clock.now();
    const references = [...resolved].map(([reference, { id, problem }]) => ({
      reference,
      targetId: id,
      unresolvedSince: problem === null ? null : now,
    }));
    // A write would lock what is stored already, until the end of a sign-in, for all others of the same rule.
    const different = references.filter((each) => !isSame(each, stored.get(each.reference)));
    const changed = different.length === 0 ? [] : await storeReferences(tx, named.kind, different);
    for (const each of changed) await this.record(tx, named.kind, each);
    return resolved;
  }

  private record(
    tx: EntityManager,
    kind: ReferenceKind,
    { reference, targetId, unresolvedSince }: StoredReference,
  ): Promise<void> {
    const isBound = unresolvedSince === null;
    return this.audit.record(tx, {
      action: isBound ? 'rule_reference_bound' : 'rule_reference_unresolved',
      outcome: isBound ? 'allowed' : 'failed',
      actorId: null,
      target: { type: 'settings', id: 'sign_in_rules' },
      details: { [kind]: reference, ...(targetId !== null && { [`${kind}_id`]: targetId }) },
    });
  }
}
