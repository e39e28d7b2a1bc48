import { type Environment, urlRule, web } from './environment.js';
import { requireSecure } from './plain-connections.config.js';
import { readSignInRules } from './sign-in-rules.js';

const multiTenant = /\/(common|organizations|consumers)(\/|$)/;

interface Portal {
  publicUrl: string;
  portalEnabled: boolean;
}

function readReturnUrls(env: Environment, { publicUrl, portalEnabled }: Portal): string[] {
  const urls = env.list(
    'OIDC_RETURN_URLS',
    'URLs to which a sign-in may redirect, including all paths below them. Defaults to `PUBLIC_URL`, which is always allowed while the portal is enabled',
    {
      holds: (url) => urlRule(web).holds(url) && !/[?#@]/.test(url),
      problem: 'must be http or https URLs without a query, separated by commas',
    },
  );
  return portalEnabled || urls.length === 0 ? [...new Set([...urls, publicUrl])] : urls;
}

function readTenants(env: Environment, issuer: string): string[] {
  const tenants = env.list(
    'OIDC_ALLOWED_TENANTS',
    'Ids of the Entra tenants whose users may sign in; required if the issuer is `common` or `organizations`',
  );
  if (multiTenant.test(issuer) && tenants.length === 0) {
    env.fail('OIDC_ALLOWED_TENANTS is missing: this OIDC_ISSUER accepts every tenant');
  }
  return tenants.map((tenant) => tenant.toLowerCase());
}

const readTokenExchange = (env: Environment) => ({
  maxAgeSeconds:
    60 *
    env.integer(
      'OIDC_TOKEN_EXCHANGE_MAX_AGE_MINUTES',
      'Maximum age of a provider token (`iat`) that token exchange accepts, in minutes',
      { min: 1, max: 1440, fallback: 60 },
    ),
  allowReuse: env.boolean(
    'OIDC_TOKEN_EXCHANGE_REUSE',
    'Allow token exchange to accept the same token repeatedly, each time for a new session: for backends that cannot store the session',
    false,
  ),
});

function readProvider(env: Environment, portal: Portal) {
  const issuer =
    env.optional(
      'OIDC_ISSUER',
      'Issuer URL of the OpenID Connect provider, exactly as in its discovery document',
      'URL',
      urlRule(web),
    ) ?? '';
  const clientId =
    env.optional(
      'OIDC_CLIENT_ID',
      'Client id of Vitrine at the provider, registered with the redirect URI `PUBLIC_URL/login/callback`; required with `OIDC_ISSUER`',
    ) ?? '';
  if (issuer !== '' && clientId === '') env.fail('OIDC_CLIENT_ID is missing');
  const audiences = env.list(
    'OIDC_AUDIENCES',
    'Audiences that token exchange accepts in the provider’s tokens. Defaults to `OIDC_CLIENT_ID`',
  );
  return {
    issuer,
    clientId,
    clientSecret: env.optionalSecret('OIDC_CLIENT_SECRET', 'Client secret of Vitrine at the provider'),
    scopes: env.string(
      'OIDC_SCOPES',
      'Scopes requested from the provider',
      'openid profile email offline_access',
    ),
    prompt: env.optional(
      'OIDC_PROMPT',
      'The `prompt` parameter of each sign-in: `select_account`, `login`, or `consent` for a provider that issues refresh tokens only after consent',
    ),
    /** The first is the default. */
    returnUrls: readReturnUrls(env, portal),
    /** Empty: no check, because the issuer is a single tenant or not Entra. */
    allowedTenants: readTenants(env, issuer),
    audiences: audiences.length > 0 ? audiences : [clientId],
    tokenExchange: readTokenExchange(env),
    trustEmail: env.boolean(
      'OIDC_TRUST_EMAIL',
      'Treat every email address from the provider as verified: for a provider that does not send `email_verified`',
      false,
    ),
    updateEmail: env.boolean(
      'OIDC_UPDATE_EMAIL',
      'Change the email address of an account to the verified one of the provider at each sign-in, unless another user has it',
      false,
    ),
    rules: readSignInRules(env),
  };
}

export type OidcConfig = ReturnType<typeof readProvider>;

/** Reads the sign-in methods: identity provider, password, or both. At least one is required. */
export function readOidc(
  root: Environment,
  portal: Portal,
  insecureHosts: readonly string[],
): { oidc: OidcConfig | undefined; passwordSignIn: boolean; breachedPasswordsUrl: string | undefined } {
  const env = root.group('Sign-in through your organization');
  const oidc = readProvider(env, portal);
  const passwordSignIn = env.boolean(
    'PASSWORD_SIGN_IN',
    'Allow sign-in with email and password; `false` also disables invitations and resets by password',
    true,
  );
  const breachedPasswordsUrl = env.optionalUrl(
    'BREACHED_PASSWORDS_URL',
    'Range API that checks new passwords for known breaches, such as `https://api.pwnedpasswords.com/range`. It receives the first five characters of a hash',
    web,
  );
  requireSecure(env, 'BREACHED_PASSWORDS_URL', breachedPasswordsUrl ?? '', insecureHosts);
  requireSecure(env, 'OIDC_ISSUER', oidc.issuer, insecureHosts);
  if (oidc.issuer === '' && !passwordSignIn) {
    env.fail('PASSWORD_SIGN_IN=false requires OIDC_ISSUER: otherwise no sign-in method is available');
  }
  return { oidc: oidc.issuer === '' ? undefined : oidc, passwordSignIn, breachedPasswordsUrl };
}
