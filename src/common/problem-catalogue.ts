type Level = 'debug' | 'info' | 'warn' | 'error';

interface Entry {
  status: number;
  title: string;
  /** How loud the log is: an expected failure alarms nobody. */
  level: Level;
}

/** Every `code` that an answer can carry, once. Clients branch on the code; titles may change. */
export const problemCatalogue = {
  malformed_json: { status: 400, title: 'The body is not valid JSON', level: 'debug' },
  malformed_request: { status: 400, title: 'The request is malformed', level: 'debug' },
  invalid_request: { status: 400, title: 'The request has invalid values', level: 'debug' },
  unsupported_grant_type: { status: 400, title: 'This grant type is not known', level: 'debug' },
  invalid_invitation: { status: 400, title: 'This invitation link is not valid', level: 'info' },
  invitation_accepted: { status: 400, title: 'This invitation was already accepted', level: 'info' },
  invitation_expired: { status: 400, title: 'This invitation has expired', level: 'info' },
  invitation_revoked: { status: 400, title: 'This invitation was revoked', level: 'info' },
  invalid_password_reset: { status: 400, title: 'This reset link is not valid', level: 'info' },
  wrong_password: { status: 400, title: 'The current password is wrong', level: 'info' },
  password_rejected: { status: 400, title: 'This password is not acceptable', level: 'info' },
  invalid_credentials: { status: 401, title: 'E-mail or password is wrong', level: 'info' },
  invalid_refresh_token: { status: 401, title: 'The refresh token is not valid', level: 'info' },
  authentication_required: { status: 401, title: 'A valid access token is needed', level: 'debug' },
  access_denied: { status: 403, title: 'You may not do this', level: 'info' },
  embed_access_revoked: { status: 403, title: 'Embedding was revoked', level: 'info' },
  route_not_found: { status: 404, title: 'There is no such route', level: 'debug' },
  user_not_found: { status: 404, title: 'There is no such user', level: 'debug' },
  workspace_not_found: { status: 404, title: 'There is no such workspace', level: 'debug' },
  report_not_found: { status: 404, title: 'There is no such report', level: 'debug' },
  embed_revocation_not_found: { status: 404, title: 'There is no such revocation', level: 'debug' },
  dataset_not_found: { status: 404, title: 'There is no such dataset', level: 'debug' },
  sync_not_found: { status: 404, title: 'There is no such sync run', level: 'debug' },
  service_account_not_found: { status: 404, title: 'There is no such service account', level: 'debug' },
  secret_not_found: { status: 404, title: 'There is no such secret', level: 'debug' },
  session_not_found: { status: 404, title: 'There is no such session', level: 'debug' },
  member_not_found: { status: 404, title: 'There is no such member', level: 'debug' },
  invitation_not_found: { status: 404, title: 'There is no such invitation', level: 'debug' },
  method_not_allowed: { status: 405, title: 'This route does not take that method', level: 'debug' },
  already_has_access: { status: 409, title: 'This person already has all of that access', level: 'info' },
  invitation_not_pending: { status: 409, title: 'This invitation is not open any more', level: 'info' },
  user_disabled: { status: 409, title: 'This person is disabled', level: 'info' },
  last_admin: { status: 409, title: 'The last active admin must stay', level: 'info' },
  conflict: { status: 409, title: 'This conflicts with what is already there', level: 'info' },
  power_bi_access_denied: { status: 409, title: 'Power BI denies the service access', level: 'warn' },
  report_not_embeddable: { status: 409, title: 'The report cannot be embedded', level: 'warn' },
  power_bi_report_missing: { status: 409, title: 'The report is gone from Power BI', level: 'warn' },
  power_bi_identity_required: {
    status: 409,
    title: 'The dataset needs an effective identity',
    level: 'warn',
  },
  power_bi_identity_refused: {
    status: 409,
    title: 'The dataset takes no such effective identity',
    level: 'warn',
  },
  power_bi_request_refused: { status: 409, title: 'Power BI refuses the request', level: 'warn' },
  power_bi_capacity_exhausted: {
    status: 409,
    title: 'The capacity gives no more embed tokens',
    level: 'warn',
  },
  too_many_secrets: { status: 409, title: 'There are two secrets already', level: 'info' },
  user_not_disabled: { status: 409, title: 'This person is not disabled', level: 'info' },
  idempotency_in_flight: { status: 409, title: 'This request is still at work', level: 'info' },
  idempotency_key_reused: {
    status: 422,
    title: 'This Idempotency-Key belongs to another request',
    level: 'info',
  },
  payload_too_large: { status: 413, title: 'The body is too large', level: 'debug' },
  unsupported_media_type: { status: 415, title: 'The body must be application/json', level: 'debug' },
  rate_limited: { status: 429, title: 'Too many requests', level: 'info' },
  header_too_large: { status: 431, title: 'The request headers are too large', level: 'debug' },
  caller_gone: { status: 499, title: 'The caller went away', level: 'debug' },
  internal_error: { status: 500, title: 'Something went wrong here', level: 'error' },
  service_unavailable: { status: 503, title: 'The service is not available right now', level: 'warn' },
  database_unavailable: { status: 503, title: 'The database is not available right now', level: 'warn' },
  power_bi_unavailable: { status: 503, title: 'Power BI is not available right now', level: 'warn' },
  power_bi_throttled: { status: 503, title: 'Power BI asks us to wait', level: 'warn' },
} as const satisfies Record<string, Entry>;

export type ProblemCode = keyof typeof problemCatalogue;
