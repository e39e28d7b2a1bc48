import type { Topic } from './help.js';

/** Codes for access rights and missing resources. */
export const access = {
  access_denied: {
    means:
      'You can view this resource, but you lack the permission for this operation: it requires an admin, or the role `editor` or `manager` in the workspace; or your access expires within a minute.',
    caller: 'Contact a manager of the workspace or an admin. `GET /api/users/me` shows your role and grants.',
    operator:
      '`GET /api/access/explain?user_id=…&report_id=…` shows the effective permissions. `PUT /api/workspaces/:id/members/:user_id` with `{"role":"editor"}` assigns the role.',
  },
  embed_access_revoked: {
    means:
      'Embed access is revoked for this user, report or workspace. The revocation also applies to admins until it is lifted.',
    caller: 'Stop requesting tokens, show the error to the user, and contact an admin.',
    operator:
      '`GET /api/embed-grants/revocations` lists the revocations with author and reason; `DELETE /api/embed-grants/revocations/:id` lifts it.',
  },
  embed_revocation_not_found: {
    means: 'No active revocation has this id, or you are not allowed to lift it.',
    caller: 'List the active revocations: `GET /api/embed-grants/revocations` (admins).',
  },
  workspace_not_found: {
    means:
      'The workspace does not exist, or you have no grant in it. The response is the same in both cases, so that it does not disclose which workspaces exist.',
    caller: 'List your workspaces: `GET /api/workspaces`. Use its `id`, not `pbi_workspace_id`.',
    operator:
      'Give the user a grant: `PUT /api/workspaces/:id/members/:user_id`. If it is missing for admins too, see [sync finds no workspaces](troubleshooting.md#sync-finds-no-workspaces).',
  },
  report_not_found: {
    means:
      'The report does not exist, was removed from Power BI, or is in a workspace in which you have no grant. The response is the same in all cases.',
    caller:
      'List your reports: `GET /api/reports`. Use its `id`, not `pbi_report_id`. A report that was moved has a new id.',
    operator: '`GET /api/access/explain?user_id=…&report_id=…` shows the reason.',
  },
  dataset_not_found: {
    means: 'No dataset in the catalogue has this id.',
    caller: 'List the datasets: `GET /api/datasets`. Use its `id`, not `pbi_dataset_id`.',
    operator: 'A new dataset appears after the next sync: `node bin/vitrine.js sync`.',
  },
  sync_not_found: {
    means: 'No sync run has this id.',
    caller: 'List the sync runs: `GET /api/syncs`.',
  },
} as const satisfies Topic;
