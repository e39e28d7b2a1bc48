import type { Topic } from './help.js';

const check = '`GET /api/reports/:id/embed-check?user_id=…`';

/** Codes for errors of Power BI. */
export const powerBi = {
  power_bi_access_denied: {
    means:
      'Power BI or Entra denied access. Usual causes: the service principal is not a member of the workspace (or is only a viewer, who can list but not embed), service principals are disabled in the tenant, or the client secret or certificate has expired.',
    caller:
      'The user cannot resolve this. Show that the report is not available, and contact an administrator.',
    operator: `\`node bin/vitrine.js doctor\` shows the cause; ${check} checks one report. Add the service principal to the workspace as a member or admin. In the Power BI admin portal (tenant settings, developer settings), allow service principals to use the APIs and embed content, for a security group that contains it. Or renew the credential. New permissions can take minutes to apply, a tenant setting 15 minutes or more: see [going to production](production.md#let-service-principals-in).`,
  },
  report_not_embeddable: {
    means:
      'Power BI returned no embed URL for this report, or one that is not on a host of the configured cloud.',
    caller: 'Contact an administrator.',
    operator: `Check \`POWERBI_CLOUD\`. ${check} shows \`embed_url\`. Run a sync if the report is new.`,
  },
  power_bi_report_missing: {
    means: 'The report or its dataset was deleted or moved in Power BI after the last sync.',
    caller: 'Reload the list of reports.',
    operator:
      'Run `node bin/vitrine.js sync`. A report that is missing in two syncs is removed; a moved report gets a new id.',
  },
  power_bi_identity_required: {
    means:
      'The dataset uses row-level security, and Vitrine cannot determine the effective identity: the dataset has no identity policy, its policy lacks a role, or the user lacks an attribute that the policy requires. The request fails closed.',
    caller: 'Show the detail to an administrator. A retry does not help.',
    operator: `The detail contains the cause. Set the policy: \`PUT /api/datasets/:id/identity-policy\` with \`{"username":"{{email}}","roles":["…"]}\`. Set a missing attribute: \`PATCH /api/users/:id\` with \`{"attributes":{…}}\`. \`node bin/vitrine.js doctor\` lists every dataset without a policy; ${check} tests it for one user.`,
  },
  power_bi_identity_refused: {
    means:
      'The dataset rejects the effective identity from its policy, usually because it has no row-level security.',
    caller: 'Contact an administrator.',
    operator:
      'Remove the policy: `DELETE /api/datasets/:id/identity-policy`. If rows must be restricted, define roles in the dataset first. A live connection to Analysis Services requires the service principal’s object id as the username.',
  },
  power_bi_request_refused: {
    means: 'Power BI rejected the request for a reason that only the log contains.',
    caller: 'Contact an administrator and include the `request_id`.',
    operator: `The log line of that \`request_id\` contains Power BI’s error code, message and \`RequestId\`, which Microsoft support requires. ${check} shows which step fails.`,
  },
  power_bi_capacity_exhausted: {
    means:
      'The workspace is on shared capacity, which allows a small number of embed tokens for trials, and the limit is reached.',
    caller: 'Contact an administrator. Issued tokens remain valid.',
    operator:
      'Assign the workspace to a capacity that supports embedding (in the workspace settings): see [capacity](production.md#row-level-security-and-capacity).',
  },
  power_bi_unavailable: {
    means:
      'Power BI or Entra did not respond in time or returned an invalid response. Lists still work: they are read from the service’s database.',
    caller: 'Try again after `Retry-After`. An open report works until its token expires.',
    operator:
      '`GET /api/health` as an administrator shows the reason. Check that the service can reach `api.powerbi.com` and `login.microsoftonline.com` (or your cloud’s hosts) on port 443, and check Microsoft’s service status.',
  },
  workspace_not_stored: {
    means:
      'Only in `errors` of a sync run: PostgreSQL rejected a row of this workspace. The workspace keeps the data of the last sync; the other workspaces are synced.',
    caller: 'Contact an administrator.',
    operator:
      'The `detail` contains PostgreSQL’s error code and message: check for a constraint, trigger or index that was added to the tables manually. Otherwise report it as a defect with the `detail`.',
  },
  power_bi_throttled: {
    means:
      'Power BI returned 429 because the service principal sent too many requests. All replicas pause their requests for the time that Power BI specifies.',
    caller: 'Try again after `Retry-After`.',
    operator:
      'Increase `SYNC_INTERVAL_MINUTES`, and check which other tools use the same service principal. `throttled_seconds` of `GET /api/syncs` shows how long a sync waited. For many concurrent users, set `EMBED_TOKENS_SHARED` to share tokens between them.',
  },
  power_bi_label_refused: {
    means:
      'The report or its dataset has a sensitivity label. Power BI does not export labelled reports for a service principal.',
    caller: 'Export another report, or ask the owner of the report.',
    operator: 'Remove the label in Power BI, if your policy allows it.',
  },
  power_bi_capacity_required: {
    means:
      'Power BI exports only reports of workspaces on an active Premium, Embedded or Fabric capacity. Premium Per User is not sufficient.',
    caller: 'Contact an administrator.',
    operator: 'Assign the workspace to a capacity, or resume the paused capacity.',
  },
  power_bi_export_failed: {
    means:
      'Power BI accepted the export and could not complete it. The detail contains its code, if it sent one.',
    caller: 'Try again, with fewer pages. Check that the report opens.',
    operator:
      'The capacity may be out of memory: see its metrics app. A visual that fails to load fails the export too.',
  },
  export_too_large: {
    means: 'The exported file exceeds `EXPORT_MAX_MB`.',
    caller: 'Export fewer pages, or another format.',
    operator: 'Raise [EXPORT_MAX_MB](configuration.md#export); files are stored in the database.',
  },
  export_timed_out: {
    means:
      'The export waited 30 minutes for its capacity, or Power BI did not complete it within an hour after the request.',
    caller: 'Try again later, with fewer pages.',
    operator:
      'If exports wait for each other, raise [EXPORT_PER_CAPACITY](configuration.md#export) as far as the SKU of the capacity allows.',
  },
  export_not_ready: {
    means: 'The export is queued or running, has failed or was cancelled: it has no file.',
    caller: 'Poll `GET /api/exports/:id` until its `status` is `succeeded`.',
  },
  export_expired: {
    means: 'The file was deleted: because of its age (`expires_at`), or by the person.',
    caller: 'Request a new export: `POST /api/reports/:id/exports`.',
  },
  export_not_found: {
    means:
      'You have no export with this id. Exports of other people are not visible, also to administrators. A download link works once and for 60 seconds.',
    caller: 'List your exports: `GET /api/exports`. They are listed for 7 days.',
  },
  too_many_exports: {
    means: 'A person can have ten exports that are queued or running.',
    caller: 'Wait for one to end, or cancel one: `DELETE /api/exports/:id`.',
  },
} as const satisfies Topic;
