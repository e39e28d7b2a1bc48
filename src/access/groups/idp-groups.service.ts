import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { findGroupsOf } from './group-edges.queries.js';
import { findByReference, findGroups } from './groups.queries.js';
import { boundAmong } from './rule-references.queries.js';
import {
  type NamedTargets,
  RuleReferencesService,
  type UnresolvedReference,
} from './rule-references.service.js';
import { UserGroupsService } from './user-groups.service.js';

/** Group memberships from rules on the identity provider's claims. Manual memberships are not affected. */
@Injectable()
export class IdpGroupsService {
  constructor(
    private readonly groups: UserGroupsService,
    private readonly references: RuleReferencesService,
  ) {}

  /**
   * Adds the user to the `certain` groups, and removes memberships that neither `certain` nor `unknown` justifies. Groups
   * are named by id or name; a reference without a group adds and removes nothing.
   */
  async apply(
    tx: EntityManager,
    userId: string,
    certain: readonly string[],
    unknown: readonly string[],
  ): Promise<void> {
    const current = await findGroupsOf(tx, userId, 'provider');
    if (certain.length === 0 && current.length === 0) return;
    const resolved = await this.references.bind(tx, await this.named(tx, [...certain, ...unknown]));
    const idsOf = (references: readonly string[]): string[] =>
      references.flatMap((reference) => resolved.get(reference)?.id ?? []);
    const isUndetermined = [...resolved.values()].some(({ id }) => id === null);
    const ofOthers = isUndetermined ? await boundAmong(tx, ['group'], current) : new Set(current);
    const undetermined = new Set(idsOf(unknown));
    const kept = current.filter((id) => undetermined.has(id) || !ofOthers.has(id));
    await this.groups.setUserGroups(tx, userId, [...new Set([...idsOf(certain), ...kept])], 'provider');
  }

  /** Returns those of these names and ids that match no group. */
  async unresolved(
    manager: EntityManager,
    references: readonly string[],
  ): Promise<ReadonlyMap<string, UnresolvedReference>> {
    const resolved = await this.references.resolve(manager, await this.named(manager, references));
    return new Map(
      [...resolved].flatMap(([reference, { problem }]) =>
        problem === null ? [] : [[reference, { kind: 'group', reference, problem }] as const],
      ),
    );
  }

  private async named(manager: EntityManager, references: readonly string[]): Promise<NamedTargets> {
    const unique = [...new Set(references)];
    const found = unique.length === 0 ? [] : await findByReference(manager, unique);
    const idsOf = (name: string): string[] =>
      found.filter(({ reference }) => reference === name).map(({ id }) => id);
    return {
      kind: 'group',
      matches: new Map(unique.map((name) => [name, idsOf(name)])),
      presenceOf: async (ids) => new Map((await findGroups(manager, ids)).map(({ id }) => [id, true])),
    };
  }
}
