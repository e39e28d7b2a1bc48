import { personalData as accessRequests } from '../access/requests/access-requests.queries.js';
import { personalData as audit } from '../platform/audit/personal-data.queries.js';
import { personalData as catalogue } from '../catalogue/sync-run.entity.js';
import type { PersonalData } from '../core/database/personal-data.js';
import { personalData as embed } from '../embed/personal-data.queries.js';
import { personalData as events } from '../events/outbox/events.queries.js';
import { personalData as exports } from '../reports/exports/exports.queries.js';
import { personalData as favourites } from '../reports/favourites/favourites.queries.js';
import { personalData as grants } from '../access/grants/personal-data.queries.js';
import { personalData as groups } from '../access/groups/groups.queries.js';
import { personalData as idempotency } from '../platform/idempotency/personal-data.queries.js';
import { personalData as invitations } from '../invitations/personal-data.queries.js';
import { personalData as jobs } from '../platform/jobs/personal-data.queries.js';
import { personalData as oidc } from '../auth/oidc/identities.queries.js';
import { personalData as rateLimit } from '../platform/rate-limit/limit-store.service.js';
import { personalData as savedViews } from '../reports/saved-views/saved-views.queries.js';
import { personalData as serviceAccounts } from '../auth/service-accounts/service-account-secret.entity.js';
import { personalData as sessions } from '../auth/sessions/sessions.queries.js';
import { personalData as usage } from '../usage/people.queries.js';
import { personalData as users } from '../users/personal-data.queries.js';

/** All columns that hold a person, in the order of the export and of the erasure. */
export const personalDataRegistry: readonly PersonalData[] = [
  ...users,
  ...sessions,
  ...oidc,
  ...groups,
  ...grants,
  ...invitations,
  ...accessRequests,
  ...favourites,
  ...savedViews,
  ...usage,
  ...embed,
  ...exports,
  ...audit,
  ...events,
  ...idempotency,
  ...jobs,
  ...catalogue,
  ...serviceAccounts,
  ...rateLimit,
];
