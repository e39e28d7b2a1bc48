import type { Topic } from './help.js';

/** Codes for sign-in, tokens and passwords. */
export const signIn = {
  authentication_required: {
    means:
      'There is no access token, or it is not valid any more: it lives one hour, and ends at once by signing out, a new password, or when the person is disabled.',
    caller:
      'Send `Authorization: Bearer <access_token>`. When it ran out, renew it with the refresh token; when that is refused too, sign in again.',
    operator:
      'When every token is refused: `JWT_KEYS_FILE` lost the key that signed them, `PUBLIC_URL` (the issuer) was changed, or the replicas have different keys.',
  },
  invalid_credentials: {
    means:
      'E-mail and password, or `client_id` and `client_secret`, do not belong together. The answer is the same for an unknown address, a disabled person and a secret that ran out.',
    caller: 'Check both, or reset the password by mail. A program asks its admin for a new secret.',
    operator:
      'The audit trail tells what happened: `GET /api/audit-events?action=sign_in_failed`. See whether the person is there and active (`node bin/vitrine.js users list`), and until when a secret is good (`node bin/vitrine.js service-accounts list`).',
  },
  invalid_refresh_token: {
    means:
      'The refresh token ran out (7 days unused, 30 days in all), its session was ended, or it was used a second time. Each one is good once; the one before is accepted for 10 more seconds, for a second tab. Later use ends the session, since somebody may have copied it.',
    caller: 'Sign in again. A client keeps the newest refresh token, in one place.',
    operator:
      'Look for `refresh_token_reused` in the audit trail: a client that keeps an old token, or a theft. When all sessions are gone, `SECRET_KEY` was changed: put the old one behind the new one (`new,old`).',
  },
  wrong_password: {
    means: '`current_password` is not the password that the account has.',
    caller: 'Type it again, or reset it by mail.',
  },
  password_rejected: {
    means:
      'The new password is shorter than 15 or longer than 128 characters, among the first that are tried, on the list of stolen ones (`BREACHED_PASSWORDS_URL`), or little more than a name or an address. There is no rule about which characters it has.',
    caller: 'Choose another one; four or five unrelated words are good.',
  },
  invalid_password_reset: {
    means: 'The link was used, replaced by a newer one, is older than 30 minutes, or was not copied whole.',
    caller: 'Ask for a new link, and use the newest mail.',
  },
  password_sign_in_disabled: {
    means: 'Invitations and resets by password are off as well.',
    caller: 'Sign in through your organisation: `/login`.',
    operator: '`PASSWORD_SIGN_IN=true` allows it again.',
  },
  platform_sign_in_missing: {
    means: 'No identity provider is configured, so there is no `/login`.',
    caller: 'Sign in with e-mail and password.',
    operator: 'Set `OIDC_ISSUER`, `OIDC_CLIENT_ID` and `OIDC_CLIENT_SECRET`: see [signing in](sign-in.md).',
  },
  sign_in_refused: {
    means:
      'The identity provider vouched for the person, but nothing here lets them in. The detail says why: no account or rule fits, the account is disabled, the tenant is not allowed, the address has an account already, the provider does not vouch for the address, or a claim is invalid.',
    caller: 'Ask an admin for an invitation, and accept it through the provider.',
    operator:
      '`GET /api/audit-events?action=sign_in_failed` has the reason. Invite the person, link the identity (`POST /api/users/:id/identities`), add a rule with `"admit": true`, name the tenant in `OIDC_ALLOWED_TENANTS`, or, for a provider that sends no `email_verified`, set `OIDC_TRUST_EMAIL=true`: see [who gets in](sign-in.md#who-gets-in). With the reason `invalid_claim`, `claim` in the event names the claim to correct at the provider: see [claims](sign-in.md#claims).',
  },
  sign_in_interrupted: {
    means:
      'The browser came back from the identity provider without the attempt it began: it took longer than ten minutes, cookies are blocked, or it came back on another host or over plain http.',
    caller: 'Start at `/login` again, in the same browser.',
    operator:
      '`PUBLIC_URL` must be the very address that people see, with https: the cookies belong to that host only. The redirect address registered at the provider is `PUBLIC_URL/login/callback`.',
  },
  invalid_return_address: {
    means: '`return_to` is none of the allowed addresses.',
    caller: 'Use an address below one that is allowed, without user name, password or `#`.',
    operator: 'Add it to `OIDC_RETURN_URLS`.',
  },
  invalid_login_code: {
    means:
      'The one-time code was used, is older than a minute, or the `code_verifier` is not the one it began with.',
    caller: 'Start at `/login` again. Exchange each code once, at once.',
  },
  invalid_subject_token: {
    means:
      'The token of the identity provider ran out, is too old, was exchanged before, is not from the configured provider, or was not made for Vitrine.',
    caller:
      'Get a fresh token whose audience is Vitrine’s client id. Keep the session that it opens; do not exchange it again.',
    operator:
      'Add the audience to `OIDC_AUDIENCES`. Check the clock of the server. See `OIDC_TOKEN_EXCHANGE_MAX_AGE_MINUTES` and `OIDC_TOKEN_EXCHANGE_REUSE` in [the configuration](configuration.md#sign-in-through-your-organisation).',
  },
  cross_site_request: {
    means:
      'A request that a cookie vouches for (`/login/session`, `/login/refresh`, `/login/invitation`, `/logout`) did not come from the portal’s own pages.',
    caller:
      'Send it from the origin of `PUBLIC_URL`, with the header `X-Vitrine-CSRF: 1`. Programs use `POST /api/auth/token`.',
    operator:
      '`PUBLIC_URL` must be the address in the browser’s address bar. See [behind a proxy](troubleshooting.md#behind-a-proxy).',
  },
} as const satisfies Topic;
