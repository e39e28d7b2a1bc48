import type { Topic } from './help.js';

/** Codes for access rights and missing resources. */
export const access = {
  access_denied: {
    means:
      'You can view this resource, but you lack the permission for this operation: it requires an administrator, or the role `editor` or `manager` in the workspace; or your access expires within a minute.',
    caller:
      'Contact a manager of the workspace or an administrator. `GET /api/users/me` shows your role and grants.',
    operator:
      '`GET /api/access/explain?user_id=…&report_id=…` shows the effective permissions. `PUT /api/workspaces/:id/members/:user_id` with `{"role":"editor"}` assigns the role.',
  },
  embed_access_revoked: {
    means:
      'Embedding is blocked for this user, report or workspace. The block also applies to administrators until it is removed.',
    caller: 'Stop requesting tokens, show the error to the user, and contact an administrator.',
    operator:
      '`GET /api/embed-grants/revocations` lists the blocks with author and reason; `DELETE /api/embed-grants/revocations/:id` removes one.',
  },
  embed_revocation_not_found: {
    means: 'No active block of embedding has this id, or you are not allowed to remove it.',
    caller: 'List the active blocks: `GET /api/embed-grants/revocations` (administrators).',
  },
  workspace_not_found: {
    means:
      'The workspace does not exist, or you have no grant in it. The response is the same in both cases, so that it does not disclose which workspaces exist.',
    caller: 'List your workspaces: `GET /api/workspaces`. Use its `id`, not `pbi_workspace_id`.',
    operator:
      'Give the user a grant: `PUT /api/workspaces/:id/members/:user_id`. If it is missing for administrators too, see [sync finds no workspaces](troubleshooting.md#sync-finds-no-workspaces).',
  },
  report_not_found: {
    means:
      'The report does not exist, was removed from Power BI, or is in a workspace in which you have no grant. The response is the same in all cases.',
    caller:
      'List your reports: `GET /api/reports`. Use its `id`, not `pbi_report_id`. A report that was moved has a new id.',
    operator: '`GET /api/access/explain?user_id=…&report_id=…` shows the reason.',
  },
  saved_view_not_found: {
    means: 'The report has no saved view with this id, or the view is private to another person.',
    caller: 'List the views: `GET /api/reports/:id/views`.',
  },
  too_many_favourites: {
    means: 'You have 500 favourites, which is the maximum.',
    caller: 'Remove one: `DELETE /api/reports/:id/favourite`.',
  },
  too_many_saved_views: {
    means: 'You saved 100 views of this report, which is the maximum.',
    caller: 'Delete one: `DELETE /api/reports/:id/views/:view_id`, or change an existing one.',
  },
  access_request_not_found: {
    means:
      'The access request does not exist, was deleted after 90 days, or is for a workspace that you do not manage. The response is the same in all cases.',
    caller: 'List the requests that you can decide: `GET /api/access-requests`.',
  },
  access_request_decided: {
    means: 'Another manager or administrator approved or declined the request first.',
    caller: 'Load the request again: `GET /api/access-requests` shows its status.',
  },
  dataset_not_found: {
    means: 'No dataset in the catalogue has this id.',
    caller: 'List the datasets: `GET /api/datasets`. Use its `id`, not `pbi_dataset_id`.',
    operator: 'A new dataset appears after the next sync: `node bin/vitrine.js sync`.',
  },
  group_not_found: {
    means: 'No group has this id.',
    caller: 'List the groups: `GET /api/groups`.',
  },
  group_member_not_found: {
    means:
      'The group has no direct member with this id that was added manually. A person may be in it through another group.',
    caller:
      '`GET /api/groups/:id/members?effective=true` shows for each person the path to the group that contains them.',
  },
  group_name_taken: {
    means: 'Another group has this name. Names ignore case.',
    caller: 'Search for the group: `GET /api/groups?q=…`. Use it, or choose another name.',
  },
  group_managed_elsewhere: {
    means: 'The `source` of the group is `provider` or `scim`: its name and its members come from there.',
    caller: 'Change the group in the identity provider, or create a group that contains it.',
  },
  group_cycle: {
    means:
      'The inner group contains the outer one, directly or through other groups. The detail shows the path.',
    caller: 'Remove one of the groups on the path from the group that contains it.',
  },
  group_too_deep: {
    means: 'Groups can contain groups up to 10 levels, the first and the last one included.',
    caller: 'Add the inner group to a group that is nested less deeply.',
  },
  sync_not_found: {
    means: 'No sync run has this id, or it was deleted 90 days after it finished.',
    caller: 'List the sync runs: `GET /api/syncs`.',
  },
} as const satisfies Topic;
