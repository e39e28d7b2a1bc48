import { Problem } from '../common/problem.js';

/** Also for a workspace that is there but not the caller's. */
export class WorkspaceNotFound extends Problem {
  constructor() {
    super('workspace_not_found', 'You have no workspace of this id.');
  }
}
