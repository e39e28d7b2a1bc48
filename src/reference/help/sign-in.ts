import type { Topic } from './help.js';

/** Codes for sign-in, tokens and passwords. */
export const signIn = {
  authentication_required: {
    means:
      'The access token is missing or no longer valid. It expires after one hour, and immediately after a sign-out, a password change, or when the user is disabled.',
    caller:
      'Send `Authorization: Bearer <access_token>`. If it has expired, renew it with the refresh token. If the refresh token is rejected too, sign in again.',
    operator:
      'If every token is rejected: `JWT_KEYS_FILE` no longer contains the signing key, `PUBLIC_URL` (the issuer) was changed, or the replicas have different keys.',
  },
  invalid_credentials: {
    means:
      'The email and password, or `client_id` and `client_secret`, do not match. The response is the same for an unknown address, a disabled user and an expired secret.',
    caller:
      'Check both values, or reset the password by email. For a service account, request a new secret from an administrator.',
    operator:
      'The audit trail contains the reason: `GET /api/audit-events?action=sign_in_failed`. Check that the user exists and is active (`node bin/vitrine.js users list`), and when a secret expires (`node bin/vitrine.js service-accounts list`).',
  },
  invalid_refresh_token: {
    means:
      'The refresh token has expired (7 days without use, 30 days in total), its session has ended, or it was reused. Each refresh token is valid once; the previous one is accepted for 30 more seconds (`REFRESH_GRACE_SECONDS`), for a second tab or a lost response, as long as its successor has not been used. Other reuse ends the session, because the token may have been stolen.',
    caller: 'Sign in again. A client must store only the latest refresh token, in one place.',
    operator:
      'Check for `refresh_token_reused` in the audit trail: a client stores an old token, or a token was stolen. If all sessions have ended, `SECRET_KEY` was changed at once: append the old key to the new one (`new,old`), and see [changing secrets](operations.md#changing-secrets).',
  },
  wrong_password: {
    means: '`current_password` does not match the password of the account.',
    caller: 'Try again, or reset the password by email.',
  },
  password_rejected: {
    means:
      'The new password is shorter than 15 or longer than 128 characters, is a common password, appears in known breaches (`BREACHED_PASSWORDS_URL`), or consists mostly of a name or an address. There are no rules about character types.',
    caller: 'Choose another password, for example four or five unrelated words.',
  },
  invalid_password_reset: {
    means: 'The link was used, was replaced by a newer one, is older than 30 minutes, or is incomplete.',
    caller: 'Request a new link, and use the latest email.',
  },
  password_sign_in_disabled: {
    means: 'Sign-in with email and password is disabled, including invitations and resets by password.',
    caller: 'Sign in through your organization: `/login`.',
    operator: 'Set `PASSWORD_SIGN_IN=true` to enable it.',
  },
  platform_sign_in_missing: {
    means: 'No identity provider is configured, so `/login` is not available.',
    caller: 'Sign in with email and password.',
    operator: 'Set `OIDC_ISSUER`, `OIDC_CLIENT_ID` and `OIDC_CLIENT_SECRET`: see [signing in](sign-in.md).',
  },
  sign_in_refused: {
    means:
      'The identity provider authenticated the user, but Vitrine denied the sign-in. The detail contains the reason: no account or rule matches, the account is disabled, the tenant is not allowed, the address already has an account, the provider has not verified the address, or a claim is invalid.',
    caller: 'Request an invitation from an administrator, and accept it through the provider.',
    operator:
      '`GET /api/audit-events?action=sign_in_failed` shows the reason. Invite the user, link the identity (`POST /api/users/:id/identities`), add a rule with `"admit": true`, add the tenant to `OIDC_ALLOWED_TENANTS`, or, for a provider that sends no `email_verified`, set `OIDC_TRUST_EMAIL=true`: see [who gets in](sign-in.md#who-gets-in). With the reason `invalid_claim`, `claim` in the event names the claim to correct at the provider: see [claims](sign-in.md#claims).',
  },
  sign_in_interrupted: {
    means:
      'The browser returned from the identity provider without a pending sign-in: it took longer than ten minutes, cookies are blocked, or the browser returned to another host or over plain http.',
    caller: 'Start at `/login` again, in the same browser.',
    operator:
      '`PUBLIC_URL` must be the URL that users open, with https: the cookies are valid only for that host. The redirect URI registered at the provider is `PUBLIC_URL/login/callback`.',
  },
  invalid_return_address: {
    means: '`return_to` is not an allowed URL.',
    caller: 'Use a URL below an allowed one, without user name, password or `#`.',
    operator: 'Add it to `OIDC_RETURN_URLS`.',
  },
  invalid_login_code: {
    means:
      'The one-time code was used, is older than a minute, or the `code_verifier` does not match the sign-in.',
    caller: 'Start at `/login` again. Exchange each code only once and immediately.',
  },
  invalid_subject_token: {
    means:
      'The token of the identity provider has expired, is too old, was already exchanged, is not from the configured provider, or was not issued for Vitrine.',
    caller:
      'Request a new token whose audience is Vitrine’s client id. Store the session that it opens; do not exchange the token again.',
    operator:
      'Add the audience to `OIDC_AUDIENCES`. Check the clock of the server. See `OIDC_TOKEN_EXCHANGE_MAX_AGE_MINUTES` and `OIDC_TOKEN_EXCHANGE_REUSE` in [the configuration](configuration.md#sign-in-through-your-organization).',
  },
  cross_site_request: {
    means:
      'A request that is authenticated by a cookie (`/login/session`, `/login/refresh`, `/login/invitation`, `/logout`) did not come from the portal’s own pages.',
    caller:
      'Send it from the origin of `PUBLIC_URL` with the header `X-Vitrine-CSRF: 1`. API clients use `POST /api/auth/token`.',
    operator:
      '`PUBLIC_URL` must be the URL in the browser’s address bar. See [behind a proxy](troubleshooting.md#behind-a-proxy).',
  },
} as const satisfies Topic;
