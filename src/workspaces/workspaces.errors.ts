import { Problem } from '../core/problems/problem.js';

/** Also for a workspace that is there but not the caller's. */
export class WorkspaceNotFound extends Problem {
  constructor() {
    super('workspace_not_found', 'You have no workspace of this id.');
  }
}

export class WorkspaceManagerRequired extends Problem {
  constructor() {
    super('access_denied', 'This needs the role manager in the workspace.');
  }
}

/** Also for somebody whose access comes from the identity provider only. */
export class MemberNotFound extends Problem {
  constructor() {
    super('member_not_found', 'Nobody of this id was given a grant here by hand.');
  }
}
