import { Injectable, Logger } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { findGroupsOf } from './group-edges.queries.js';
import { findByReference } from './groups.queries.js';
import { UserGroupsService } from './user-groups.service.js';

/** Group memberships from rules on the identity provider's claims. Manual memberships are not affected. */
@Injectable()
export class IdpGroupsService {
  private readonly logger = new Logger(IdpGroupsService.name);

  constructor(private readonly groups: UserGroupsService) {}

  /**
   * Adds the user to the `certain` groups, and removes memberships that neither `certain` nor `unknown` justifies. Groups
   * are named by id or name; a name without a group is ignored with a warning.
   */
  async apply(
    tx: EntityManager,
    userId: string,
    certain: readonly string[],
    unknown: readonly string[],
  ): Promise<void> {
    const current = await findGroupsOf(tx, userId, 'provider');
    if (certain.length === 0 && current.length === 0) return;
    const [wanted, possible] = [await this.idsOf(tx, certain), await this.idsOf(tx, unknown)];
    const kept = current.filter((id) => possible.has(id));
    await this.groups.setUserGroups(tx, userId, [...new Set([...wanted, ...kept])], 'provider');
  }

  /** Returns those of these names and ids that match no group. */
  async unmatched(manager: EntityManager, references: readonly string[]): Promise<string[]> {
    const unique = [...new Set(references)];
    if (unique.length === 0) return [];
    const known = new Set((await findByReference(manager, unique)).map(({ reference }) => reference));
    return unique.filter((reference) => !known.has(reference));
  }

  private async idsOf(tx: EntityManager, references: readonly string[]): Promise<ReadonlySet<string>> {
    if (references.length === 0) return new Set();
    const found = await findByReference(tx, references);
    const known = new Set(found.map(({ reference }) => reference));
    for (const reference of references) {
      if (!known.has(reference)) this.logger.warn(`The group of a rule does not exist: ${reference}`);
    }
    return new Set(found.map(({ id }) => id));
  }
}
