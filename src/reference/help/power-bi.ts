import type { Topic } from './help.js';

const check = '`GET /api/reports/:id/embed-check?user_id=…`';

/** Codes for errors of Power BI. */
export const powerBi = {
  power_bi_access_denied: {
    means:
      'Or Entra does. Usual causes: the service principal is not a member of the workspace (or only a viewer, which can list but not embed), service principals are switched off in the tenant, the client secret or certificate ran out.',
    caller: 'Nothing: it is not about the person. Show that the report is not available, and tell an admin.',
    operator: `\`node bin/vitrine.js doctor\` tells which it is; ${check} looks at one report. Add the service principal to the workspace as a member or admin; in the Power BI admin portal, tenant settings, developer settings, let service principals use the APIs and embed content, for a security group that it is in; or renew the credential. New rights can take minutes to act, a tenant setting 15 minutes or more: see [going to production](production.md#let-service-principals-in).`,
  },
  report_not_embeddable: {
    means:
      'Power BI named no address to embed this report from, or one that is not on a host of the configured cloud.',
    caller: 'Nothing: tell an admin.',
    operator: `Check \`POWERBI_CLOUD\`. ${check} shows \`embed_url\`. Run a sync, in case the report was just made.`,
  },
  power_bi_report_missing: {
    means: 'The report, or the dataset behind it, was deleted or moved in Power BI since the last sync.',
    caller: 'Read the list again.',
    operator:
      '`node bin/vitrine.js sync`. Missing twice, it leaves the list; a report that was moved comes back under a new id.',
  },
  power_bi_identity_required: {
    means:
      'The data asks who is looking (row-level security), and it is not known: the dataset has no identity policy, its policy lacks a role, or the person lacks an attribute that the policy names. Nothing is shown rather than too much.',
    caller: 'Show the detail to an admin. Asking again does not help.',
    operator: `The detail says which it is. Set the policy: \`PUT /api/datasets/:id/identity-policy\` with \`{"username":"{{email}}","roles":["…"]}\`; a missing attribute: \`PATCH /api/users/:id\` with \`{"attributes":{…}}\`. \`node bin/vitrine.js doctor\` lists every dataset without a policy; ${check} tries it for one person.`,
  },
  power_bi_identity_refused: {
    means:
      'The dataset does not take the identity that its policy makes: mostly it has no row-level security at all.',
    caller: 'Nothing: tell an admin.',
    operator:
      'Take the policy away: `DELETE /api/datasets/:id/identity-policy`. If rows are meant to be guarded, define roles in the dataset first. A live connection to Analysis Services wants the service principal’s object id as username.',
  },
  power_bi_request_refused: {
    means: 'For a reason that stands in the log only.',
    caller: 'Nothing: tell an admin, with the `request_id`.',
    operator: `The log line of that \`request_id\` has Power BI’s own code, words and \`RequestId\`, which Microsoft’s support asks for. ${check} shows how far it gets.`,
  },
  power_bi_capacity_exhausted: {
    means:
      'The workspace is on shared capacity, which gives out a small number of embed tokens for trials, and that number is used up.',
    caller: 'Nothing: tell an admin. Tokens that are out go on working.',
    operator:
      'Assign the workspace to a capacity that allows embedding (in the workspace’s settings): see [capacity](production.md#row-level-security-and-capacity).',
  },
  power_bi_unavailable: {
    means:
      'Power BI or Entra did not answer in time, or answered nonsense. Lists go on working: they come from our own database.',
    caller: 'Try again after `Retry-After`. A report that is open goes on until its token ends.',
    operator:
      '`GET /api/health` as an admin has the reason. Check that the service reaches `api.powerbi.com` and `login.microsoftonline.com` (or your cloud’s hosts) on port 443, and Microsoft’s service status.',
  },
  workspace_not_stored: {
    means:
      'Only in `errors` of a sync run: PostgreSQL rejected a row of this workspace. The workspace keeps what the last sync stored; the others are synced.',
    caller: 'Nothing: tell an admin.',
    operator:
      'The `detail` has PostgreSQL’s error code and message: look for a constraint, trigger or index that was added to the tables by hand. Otherwise report it as a defect, with the `detail`.',
  },
  power_bi_throttled: {
    means:
      'Power BI answered 429: the service principal asked too much. All replicas stop asking for as long as it says.',
    caller: 'Try again after `Retry-After`.',
    operator:
      'Lengthen `SYNC_INTERVAL_MINUTES`; look which other tools use the same service principal. `throttled_seconds` of `GET /api/syncs` shows how much a sync had to wait. Many people at once: `EMBED_TOKENS_SHARED` has one call made for all who may see the same.',
  },
} as const satisfies Topic;
