import { Problem, problem } from '../../core/problems/problem.js';

/** Also thrown for another person's private view. */
export class SavedViewNotFound extends problem(
  'saved_view_not_found',
  'The report has no saved view with this id that is available to you.',
) {}

export class SharingNeedsEditor extends problem(
  'access_denied',
  'Sharing a view, or changing a shared one, requires the role editor.',
) {}

export class SharedViewNeedsManager extends problem(
  'access_denied',
  'Only its owner and managers of the workspace can change or delete a shared view.',
) {}

export class WithdrawalNeedsOwner extends problem(
  'access_denied',
  'Only its owner can make a shared view private. Managers can delete it.',
) {}

export class TooManySavedViews extends Problem {
  constructor(max: number) {
    super('too_many_saved_views', `You can save at most ${max} views of a report. Delete one first.`);
  }
}
