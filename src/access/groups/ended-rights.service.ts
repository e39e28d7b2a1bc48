import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type AuditEntry, AuditService } from '../../platform/audit/audit.service.js';
import type { Principal } from '../../core/http/principal.js';
import { findMembershipsOf, type Holder } from './group-edges.queries.js';
import { memberEntries } from './group-entries.js';

/** Returns an entry for each right that a holder has. */
type FindRights = (tx: EntityManager, holder: Holder) => Promise<Omit<AuditEntry, 'actorId'>[]>;

/** Records the rights and memberships that end with their holder: its deletion alone does not show what its people lose. */
@Injectable()
export class EndedRightsService {
  private readonly rights: FindRights[] = [];

  constructor(private readonly audit: AuditService) {}

  /** For a module that gives rights. */
  register(find: FindRights): void {
    this.rights.push(find);
  }

  /** Before the holder is deleted, in the same transaction. */
  async record(tx: EntityManager, caller: Pick<Principal, 'id'>, holder: Holder): Promise<void> {
    const memberships = await findMembershipsOf(tx, holder);
    const ended = memberships.flatMap((each) => memberEntries('group_member_removed', caller, each));
    for (const find of this.rights) {
      for (const right of await find(tx, holder)) ended.push({ ...right, actorId: caller.id });
    }
    await this.audit.recordAll(tx, ended);
  }
}
