import { chunksOf } from '../../core/lists/chunks.js';
import type { AuditEntry } from '../../platform/audit/audit.service.js';
import type { Memberships } from './group-edges.queries.js';

/** More members are recorded in events of up to `EVENT_MEMBERS` each. */
const MAX_SINGLE_EVENTS = 50;
const EVENT_MEMBERS = 1000;

export const groupEntry = (
  action: 'group_created' | 'group_updated' | 'group_deleted',
  actor: { id: string },
  id: string,
  details: Record<string, unknown>,
): AuditEntry => ({ action, actorId: actor.id, target: { type: 'group', id }, details });

/** For a change of many members at once. Elsewhere each member is recorded alone. */
export function memberEntries(
  action: 'group_member_added' | 'group_member_removed',
  actor: { id: string },
  { group, type, source, members }: Memberships,
): AuditEntry[] {
  const isSingle = members.length <= MAX_SINGLE_EVENTS;
  return [...chunksOf(members, isSingle ? 1 : EVENT_MEMBERS)].map((ids) => {
    const changed = isSingle ? { member_id: ids[0] } : { members: ids.length, member_ids: ids };
    const details = { source, member_type: type, ...changed };
    return { action, actorId: actor.id, target: { type: 'group', id: group }, details };
  });
}
