import { Problem, problem } from '../../core/problems/problem.js';

export class GroupNotFound extends problem('group_not_found', 'No group has this id.') {}

export class GroupNameTaken extends Problem {
  constructor() {
    const detail = 'Another group has this name; names ignore case';
    super('group_name_taken', `${detail}.`, { errors: [{ pointer: '/name', detail }] });
  }
}

/** Two groups of one source cannot have the same id in it. */
export class GroupExternalIdTaken extends problem('conflict', 'Another group has this externalId.') {}

export class GroupManagedElsewhere extends problem(
  'group_managed_elsewhere',
  'This group is managed by your identity provider.',
) {}

/** Also thrown for a member that only the identity provider or SCIM added. */
export class GroupMemberNotFound extends problem(
  'group_member_not_found',
  'The group has no direct member with this id that was added manually.',
) {}

export class GroupCycle extends Problem {
  /** The names of the groups on the cycle; the last one is the first one. */
  constructor(path: readonly string[]) {
    super('group_cycle', `A group cannot contain itself: ${path.join(' → ')}.`);
  }
}

export class GroupTooDeep extends Problem {
  constructor(levels: number, max: number) {
    super('group_too_deep', `The groups would be nested ${levels} levels deep; at most ${max} are possible.`);
  }
}
