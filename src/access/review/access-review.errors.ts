import { Problem } from '../../core/problems/problem.js';

export class ReviewTooWide extends Problem {
  constructor() {
    super('access_denied', 'A review without workspace_id or report_id requires an administrator.');
  }
}
