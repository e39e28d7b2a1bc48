import { Problem } from '../common/problem.js';

export class EditNeedsEditor extends Problem {
  constructor() {
    super('access_denied', 'Editing this report needs the role editor in its workspace.');
  }
}

/** Fails closed: without knowing who the viewer is inside the data, nothing is shown. */
export class IdentityRequired extends Problem {
  constructor(detail: string) {
    super('power_bi_identity_required', detail);
  }
}
