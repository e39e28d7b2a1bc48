import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type AuditEntry, AuditService } from '../../platform/audit/audit.service.js';
import type { Principal } from '../../core/http/principal.js';
import { chunksOf } from '../../core/lists/chunks.js';
import { type EndedMemberships, findMembershipsOf, type RightsHolder } from './group-edges.queries.js';

type EndedRight = Omit<AuditEntry, 'actorId'>;
/** Returns an entry for each right that a holder has. */
type FindRights = (tx: EntityManager, holder: RightsHolder) => Promise<EndedRight[]>;

/** More members are recorded in events of up to `EVENT_MEMBERS` each, as by SCIM. */
const MAX_SINGLE_EVENTS = 50;
const EVENT_MEMBERS = 1000;

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
  async record(tx: EntityManager, caller: Pick<Principal, 'id'>, holder: RightsHolder): Promise<void> {
    const ended = (await findMembershipsOf(tx, holder)).flatMap(entriesOf);
    for (const find of this.rights) ended.push(...(await find(tx, holder)));
    await this.audit.recordAll(
      tx,
      ended.map((entry) => ({ ...entry, actorId: caller.id })),
    );
  }
}

function entriesOf({ group, type, source, members }: EndedMemberships): EndedRight[] {
  const size = members.length <= MAX_SINGLE_EVENTS ? 1 : EVENT_MEMBERS;
  return [...chunksOf(members, size)].map((ids) => ({
    action: 'group_member_removed',
    target: { type: 'group', id: group },
    details: {
      source,
      member_type: type,
      ...(size === 1 ? { member_id: ids[0] } : { members: ids.length, member_ids: ids }),
    },
  }));
}
