import { problem } from '../core/problems/problem.js';

/** Also thrown for a report that exists but is not visible to the caller. */
export class ReportNotFound extends problem(
  'report_not_found',
  'No report with this id is available to you.',
) {}
