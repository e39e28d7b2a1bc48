import { problem } from '../core/problems/problem.js';

/** Also thrown for a workspace that exists but is not visible to the caller. */
export class WorkspaceNotFound extends problem(
  'workspace_not_found',
  'You have no workspace with this id.',
) {}

export class WorkspaceManagerRequired extends problem(
  'access_denied',
  'This action requires the manager role in the workspace.',
) {}

/** Also thrown for a holder whose grant follows a rule of the identity provider or SCIM. */
export class GrantNotFound extends problem(
  'grant_not_found',
  'This person or group has no manual grant here.',
) {}

/** Also thrown for a user whose access comes only from the identity provider. */
export class MemberNotFound extends problem(
  'member_not_found',
  'No user with this id has a manual grant in this workspace.',
) {}
