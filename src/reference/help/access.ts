import type { Topic } from './help.js';

/** Codes for access rights and missing resources. */
export const access = {
  access_denied: {
    means:
      'You may see this thing, but not do that with it: the route is for admins, the workspace needs the role `editor` or `manager`, or your access ends within a minute.',
    caller: 'Ask a manager of the workspace or an admin. `GET /api/users/me` shows your role and grants.',
    operator:
      '`GET /api/access/explain?user_id=…&report_id=…` tells what decides. `PUT /api/workspaces/:id/members/:user_id` with `{"role":"editor"}` gives the role.',
  },
  embed_access_revoked: {
    means: 'For this person, report or workspace. It holds for admins too, until it is lifted.',
    caller: 'Stop asking, and tell the person. Ask an admin.',
    operator:
      '`GET /api/embed-grants/revocations` lists who revoked what and why; `DELETE /api/embed-grants/revocations/:id` lifts it.',
  },
  embed_revocation_not_found: {
    means: 'No revocation of this id is in force, or it is not yours to lift.',
    caller: 'List what is in force: `GET /api/embed-grants/revocations` (admins).',
  },
  workspace_not_found: {
    means:
      'No workspace has this id, or you have no grant in it: the answer is the same, so that nobody can find out what exists.',
    caller: 'List your own: `GET /api/workspaces`. Use its `id`, not `pbi_workspace_id`.',
    operator:
      'Give the person a grant: `PUT /api/workspaces/:id/members/:user_id`. When it is missing for admins too, see [sync finds no workspaces](troubleshooting.md#sync-finds-no-workspaces).',
  },
  report_not_found: {
    means:
      'No report has this id, it is gone from Power BI, or you have no grant in its workspace: the answer is the same.',
    caller:
      'List your own: `GET /api/reports`. Use its `id`, not `pbi_report_id`. A report that was moved has a new id.',
    operator: '`GET /api/access/explain?user_id=…&report_id=…` tells which of these it is.',
  },
  dataset_not_found: {
    means: 'No dataset of the catalogue has this id.',
    caller: 'List them: `GET /api/datasets`. Use its `id`, not `pbi_dataset_id`.',
    operator: 'A new one comes with the next sync: `node bin/vitrine.js sync`.',
  },
  sync_not_found: {
    means: 'No sync run has this id.',
    caller: 'List them: `GET /api/syncs`.',
  },
} as const satisfies Topic;
