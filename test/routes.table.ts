/**
 * Every route, and what each kind of caller gets. `member` has no grant; `viewer`, `editor` and `manager` have that
 * role in the workspace that the route is about; `user_id` and `:id` of a person mean somebody else, a viewer there. The
 * service has no identity provider, and no request comes from the portal's own pages.
 */
const table = `
                                              anyone member viewer editor manager admin
POST   /api/auth/token                           200    200    200    200     200   200
POST   /api/auth/logout                          401    204    204    204     204   204
GET    /api/auth/sessions                        401    200    200    200     200   200
DELETE /api/auth/sessions                        401    204    204    204     204   204
DELETE /api/auth/sessions/:session_id            401    404    404    404     404   404
GET    /api/users/me                             401    200    200    200     200   200
PATCH  /api/users/me                             401    200    200    200     200   200
GET    /api/users/me/grants                      401    200    200    200     200   200
GET    /api/users/me/groups                      401    200    200    200     200   200
GET    /api/users/me/export                      401    200    200    200     200   200
PUT    /api/users/me/password                    401    204    204    204     204   204
GET    /api/users                                401    403    403    403     403   200
GET    /api/users/:user_id                       401    403    403    403     403   200
PATCH  /api/users/:user_id                       401    403    403    403     403   200
GET    /api/users/:user_id/export                401    403    403    403     403   200
GET    /api/users/:user_id/attributes            401    403    403    403     403   200
GET    /api/users/:user_id/grants                401    403    403    403     403   200
GET    /api/users/:user_id/workspaces            401    403    403    403     403   200
GET    /api/users/:user_id/reports               401    403    403    403     403   200
GET    /api/users/:user_id/groups                401    403    403    403     403   200
GET    /api/groups/:group_id/grants              401    403    403    403     403   200
GET    /api/users/:user_id/sessions              401    403    403    403     403   200
DELETE /api/users/:user_id/sessions              401    403    403    403     403   204
GET    /api/users/:user_id/identities            401    403    403    403     403   200
POST   /api/users/:user_id/identities            401    403    403    403     403   404
DELETE /api/users/:user_id/identities/:identity_id
                                                 401    403    403    403     403   404
POST   /api/users/invite                         401    400    403    403     201   201
POST   /api/invitations/bulk                     401    400    403    403     200   200
POST   /api/invitations/resend                   401    200    200    200     200   200
GET    /api/invitations                          401    200    200    200     200   200
GET    /api/invitations/:invitation_id           401    404    404    404     200   200
POST   /api/invitations/:invitation_id/resend    401    404    404    404     200   200
DELETE /api/invitations/:invitation_id           401    404    404    404     204   204
POST   /api/access-requests                      401    202    202    202     202   202
GET    /api/access-requests                      401    200    200    200     200   200
POST   /api/access-requests/:access_request_id/approve
                                                 401    404    404    404     200   200
POST   /api/access-requests/:access_request_id/decline
                                                 401    404    404    404     200   200
GET    /api/workspaces                           401    200    200    200     200   200
GET    /api/workspaces/:workspace_id             401    404    200    200     200   200
GET    /api/workspaces/:workspace_id/settings    401    404    200    200     200   200
PATCH  /api/workspaces/:workspace_id/settings    401    404    403    403     200   200
GET    /api/workspaces/:workspace_id/members     401    404    403    403     200   200
PUT    /api/workspaces/:workspace_id/members/:user_id
                                                 401    404    403    403     200   200
DELETE /api/workspaces/:workspace_id/members/:user_id
                                                 401    404    403    403     204   204
GET    /api/reports                              401    200    200    200     200   200
GET    /api/reports/:report_id                   401    404    200    200     200   200
POST   /api/reports/:report_id/embed-token       401    404    403    200     200   200
PUT    /api/reports/:report_id/favourite         401    404    204    204     204   204
DELETE /api/reports/:report_id/favourite         401    404    204    204     204   204
GET    /api/users/me/favourites                  401    200    200    200     200   200
GET    /api/users/me/recents                     401    200    200    200     200   200
GET    /api/reports/:report_id/views             401    404    200    200     200   200
POST   /api/reports/:report_id/views             401    404    403    201     201   201
GET    /api/reports/:report_id/views/:view_id    401    404    200    200     200   200
PATCH  /api/reports/:report_id/views/:view_id    401    404    403    403     200   200
DELETE /api/reports/:report_id/views/:view_id    401    404    403    403     204   204
POST   /api/reports/:report_id/exports           401    404    403    202     202   202
GET    /api/reports/:report_id/export-options    401    404    200    200     200   200
GET    /api/exports                              401    200    200    200     200   200
GET    /api/exports/:export_id                   401    404    404    404     404   404
GET    /api/exports/:export_id/file              401    404    404    404     404   404
POST   /api/exports/:export_id/tickets           401    404    404    404     404   404
DELETE /api/exports/:export_id                   401    404    404    404     404   404
GET    /api/workspaces/:workspace_id/candidates  401    404    403    403     200   200
GET    /api/workspaces/:workspace_id/grants      401    404    403    403     200   200
PUT    /api/workspaces/:workspace_id/grants/users/:user_id
                                                 401    404    403    403     200   200
PUT    /api/workspaces/:workspace_id/grants/groups/:group_id
                                                 401    404    403    403     404   200
DELETE /api/workspaces/:workspace_id/grants/users/:user_id
                                                 401    404    403    403     204   204
DELETE /api/workspaces/:workspace_id/grants/groups/:group_id
                                                 401    404    403    403     404   404
GET    /api/reports/:report_id/grants            401    404    403    403     200   200
PUT    /api/reports/:report_id/grants/users/:user_id
                                                 401    404    403    403     200   200
PUT    /api/reports/:report_id/grants/groups/:group_id
                                                 401    404    403    403     404   200
DELETE /api/reports/:report_id/grants/users/:user_id
                                                 401    404    403    403     404   404
DELETE /api/reports/:report_id/grants/groups/:group_id
                                                 401    404    403    403     404   404
GET    /api/reports/:report_id/viewers           401    404    403    403     200   200
GET    /api/reports/:report_id/embed-check       401    404    403    403     200   200
GET    /api/embed-grants                         401    403    403    403     403   200
POST   /api/embed-grants/revoke                  401    404    403    403     201   201
GET    /api/embed-grants/revocations             401    403    403    403     403   200
DELETE /api/embed-grants/revocations/:revocation_id
                                                 401    404    404    404     404   204
GET    /api/access/explain                       401    404    404    404     200   200
GET    /api/access/review                        401    403    403    403     403   200
GET    /api/events                               401    403    403    403     403   200
GET    /api/datasets                             401    403    403    403     403   200
GET    /api/datasets/:dataset_id                 401    403    403    403     403   200
PUT    /api/datasets/:dataset_id/identity-policy 401    403    403    403     403   200
DELETE /api/datasets/:dataset_id/identity-policy 401    403    403    403     403   200
POST   /api/syncs                                401    403    403    403     403   202
GET    /api/syncs                                401    403    403    403     403   200
GET    /api/syncs/:sync_id                       401    403    403    403     403   200
POST   /api/users/:disabled_id/erase             401    403    403    403     403   204
GET    /api/groups                               401    403    403    403     403   200
POST   /api/groups                               401    403    403    403     403   201
GET    /api/groups/:outer_group_id               401    403    403    403     403   200
PATCH  /api/groups/:outer_group_id               401    403    403    403     403   200
DELETE /api/groups/:outer_group_id               401    403    403    403     403   204
GET    /api/groups/:outer_group_id/members       401    403    403    403     403   200
POST   /api/groups/:outer_group_id/members       401    403    403    403     403   204
PUT    /api/groups/:outer_group_id/members/users/:user_id
                                                 401    403    403    403     403   204
DELETE /api/groups/:outer_group_id/members/users/:user_id
                                                 401    403    403    403     403   204
PUT    /api/groups/:outer_group_id/members/groups/:group_id
                                                 401    403    403    403     403   204
DELETE /api/groups/:outer_group_id/members/groups/:group_id
                                                 401    403    403    403     403   204
GET    /api/service-accounts                     401    403    403    403     403   200
POST   /api/service-accounts                     401    403    403    403     403   201
GET    /api/service-accounts/:service_account_id 401    403    403    403     403   200
PATCH  /api/service-accounts/:service_account_id 401    403    403    403     403   200
DELETE /api/service-accounts/:service_account_id 401    403    403    403     403   204
POST   /api/service-accounts/:service_account_id/secrets
                                                 401    403    403    403     403   201
DELETE /api/service-accounts/:service_account_id/secrets/:secret_id
                                                 401    403    403    403     403   204
GET    /api/webhooks                             401    403    403    403     403   200
POST   /api/webhooks                             401    403    403    403     403   201
GET    /api/webhooks/:webhook_id                 401    403    403    403     403   200
PATCH  /api/webhooks/:webhook_id                 401    403    403    403     403   200
DELETE /api/webhooks/:webhook_id                 401    403    403    403     403   204
POST   /api/webhooks/:webhook_id/secrets         401    403    403    403     403   201
POST   /api/webhooks/:webhook_id/ping            401    403    403    403     403   200
GET    /api/webhooks/:webhook_id/deliveries      401    403    403    403     403   200
POST   /api/webhooks/:webhook_id/deliveries/:delivery_id/redeliver
                                                 401    403    403    403     403   404
POST   /api/webhooks/:webhook_id/redeliver       401    403    403    403     403   202
GET    /api/audit-events                         401    403    403    403     403   200
POST   /api/usage/events                         401    202    202    202     202   202
GET    /api/usage/overview                       401    403    403    403     200   200
GET    /api/usage/reports                        401    403    403    403     200   200
GET    /api/usage/reports/:report_id             401    404    200    200     200   200
GET    /api/usage/reports/:report_id/pages       401    404    200    200     200   200
GET    /api/usage/workspaces                     401    403    403    403     200   200
GET    /api/usage/workspaces/:workspace_id       401    403    403    403     200   200
GET    /api/usage/groups/:group_id               401    403    403    403     404   200
GET    /api/usage/people/:user_id                401    403    403    403     200   200
GET    /api/usage/unused                         401    403    403    403     200   200
GET    /api/search                               401    200    200    200     200   200
GET    /api/settings/branding                    401    200    200    200     200   200
PUT    /api/settings/branding                    401    403    403    403     403   200
PUT    /api/settings/branding/logo               401    403    403    403     403   400
DELETE /api/settings/branding/logo               401    403    403    403     403   204
PUT    /api/settings/branding/logo-dark          401    403    403    403     403   400
DELETE /api/settings/branding/logo-dark          401    403    403    403     403   204
PUT    /api/settings/branding/favicon            401    403    403    403     403   400
DELETE /api/settings/branding/favicon            401    403    403    403     403   204
GET    /api/settings/onboarding                  401    403    403    403     403   200
PUT    /api/settings/onboarding                  401    403    403    403     403   200
GET    /api/settings/sign-in-rules               401    403    403    403     403   200
GET    /api/health                               401    200    200    200     200   200
GET    /branding/:hash                           404    404    404    404     404   404
GET    /scim/v2/ServiceProviderConfig            401    403    403    403     403   403
GET    /scim/v2/ResourceTypes                    401    403    403    403     403   403
GET    /scim/v2/ResourceTypes/:id                401    403    403    403     403   403
GET    /scim/v2/Schemas                          401    403    403    403     403   403
GET    /scim/v2/Schemas/:id                      401    403    403    403     403   403
GET    /scim/v2/Me                               401    403    403    403     403   403
POST   /scim/v2/Bulk                             401    403    403    403     403   403
POST   /scim/v2/.search                          401    403    403    403     403   403
POST   /scim/v2/Users/.search                    401    403    403    403     403   403
POST   /scim/v2/Groups/.search                   401    403    403    403     403   403
GET    /scim/v2/Users                            401    403    403    403     403   403
POST   /scim/v2/Users                            401    403    403    403     403   403
GET    /scim/v2/Users/:user_id                   401    403    403    403     403   403
PUT    /scim/v2/Users/:user_id                   401    403    403    403     403   403
PATCH  /scim/v2/Users/:user_id                   401    403    403    403     403   403
DELETE /scim/v2/Users/:user_id                   401    403    403    403     403   403
GET    /scim/v2/Groups                           401    403    403    403     403   403
POST   /scim/v2/Groups                           401    403    403    403     403   403
GET    /scim/v2/Groups/:group_id                 401    403    403    403     403   403
PUT    /scim/v2/Groups/:group_id                 401    403    403    403     403   403
PATCH  /scim/v2/Groups/:group_id                 401    403    403    403     403   403
DELETE /scim/v2/Groups/:group_id                 401    403    403    403     403   403
GET    /embed.js                                 200    200    200    200     200   200
GET    /exports/file                             404    404    404    404     404   404
GET    /invitation                               200    200    200    200     200   200
GET    /password-reset                           200    200    200    200     200   200
GET    /login                                    400    400    400    400     400   400
GET    /login/callback                           400    400    400    400     400   400
POST   /login/session                            403    403    403    403     403   403
POST   /login/refresh                            403    403    403    403     403   403
POST   /login/invitation                         403    403    403    403     403   403
POST   /login/invitation/preview                 400    400    400    400     400   400
POST   /login/password-reset/preview             400    400    400    400     400   400
POST   /logout                                   403    403    403    403     403   403
GET    /livez                                    200    200    200    200     200   200
GET    /readyz                                   200    200    200    200     200   200
GET    /.well-known/jwks.json                    200    200    200    200     200   200
`;

export const callers = ['anyone', 'member', 'viewer', 'editor', 'manager', 'admin'] as const;
export type CallerName = (typeof callers)[number];

export interface Row {
  method: string;
  /** With speaking parameters: `/api/users/:user_id`. */
  path: string;
  statuses: Record<CallerName, number>;
}

export const rows: Row[] = table
  .trim()
  .replaceAll(/\n\s+(?=\d)/g, ' ')
  .split('\n')
  .slice(1)
  .map((line) => {
    const [method = '', path = '', ...statuses] = line.trim().split(/\s+/);
    const entries = callers.map((caller, index) => [caller, Number(statuses[index])]);
    return { method, path, statuses: Object.fromEntries(entries) as Row['statuses'] };
  });

/** As the router writes it: the thing that a route is about is its `id`. */
export const asRouted = ({ method, path }: Row): string => {
  const [first] = path.match(/:\w+/) ?? [];
  return `${method} ${first === undefined ? path : path.replace(first, ':id')}`;
};
