import { problem } from '../core/problems/problem.js';

export class UsageManagerRequired extends problem(
  'access_denied',
  'Usage figures require the manager role in a workspace.',
) {}

export class UsageHidden extends problem(
  'access_denied',
  'Usage figures of this report are visible to its managers only.',
) {}

export class UsagePeopleHidden extends problem(
  'access_denied',
  'Usage figures of people are not available to you.',
) {}

export class UsagePeopleNotStored extends problem(
  'usage_people_not_stored',
  'The service does not store which person opened a report.',
) {}
