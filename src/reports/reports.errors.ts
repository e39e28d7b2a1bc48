import { Problem } from '../core/problems/problem.js';

/** Also for a report that is there but not the caller's. */
export class ReportNotFound extends Problem {
  constructor() {
    super('report_not_found', 'You have no report of this id.');
  }
}
