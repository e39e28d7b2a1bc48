import { type JsonWebKey, randomBytes } from 'node:crypto';
import { Eta } from 'eta';
import { type Configuration, type InteractionResults, Provider } from 'oidc-provider';
import type { Person } from './demo-people.js';
import { memoryStore } from './memory-store.js';

interface Settings {
  issuer: string;
  /** The end of the issuer's URL. */
  path: string;
  people: Map<string, Person>;
  callback: string;
  client: { clientId: string; clientSecret: string };
  keys: JsonWebKey[];
}

const eta = new Eta({ autoEscape: true });

const page = eta.compile(`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Demo sign-in</title>
    <style>
      :root { color-scheme: light dark; }
      body { font: 16px/1.5 system-ui, sans-serif; max-width: 26rem; margin: 8vh auto; padding: 0 1rem; }
      h1 { font-size: 1.4rem; }
      ul { list-style: none; padding: 0; }
      li a { display: block; padding: .5rem .75rem; border: 1px solid #8888; border-radius: 4px; margin: .4rem 0; text-decoration: none; }
      li a:hover, li a:focus-visible { background: #8882; }
      li span { display: block; color: GrayText; font-size: .875rem; }
    </style>
  </head>
  <body>
    <main>
      <h1>Choose an account</h1>
      <p>Emulates your organization's sign-in. No password is required.</p>
      <ul>
        <% it.people.forEach((person) => { %><li><a id="<%= person.sub %>" href="<%= it.base %>/as/<%= person.sub %>"><%= person.name %> <span><%= person.email %></span></a></li><% }) %>
      </ul>
      <p><a id="cancel" href="<%= it.base %>/cancel">Cancel</a></p>
    </main>
  </body>
</html>
`);

const claimsByScope = {
  email: ['email', 'email_verified'],
  profile: ['name', 'preferred_username', 'groups', 'hasgroups', '_claim_names', 'department', 'employee_id'],
  openid: ['sub', 'tid', 'oid'],
};

const hour = 3600;
const lifetimes = {
  AccessToken: hour,
  AuthorizationCode: 60,
  Grant: 24 * hour,
  IdToken: hour,
  Interaction: hour,
  RefreshToken: 24 * hour,
  Session: 24 * hour,
};

function configurationOf({ path, people, callback, client, keys }: Settings): Configuration {
  return {
    clients: [
      {
        client_id: client.clientId,
        client_secret: client.clientSecret,
        redirect_uris: [callback],
        grant_types: ['authorization_code', 'refresh_token'],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    jwks: { keys },
    adapter: memoryStore(),
    ttl: lifetimes,
    claims: claimsByScope,
    scopes: ['openid', 'profile', 'email', 'offline_access'],
    // As with Entra: claims in the ID token, and a refresh token without consent.
    conformIdTokenClaims: false,
    issueRefreshToken: async () => true,
    cookies: { keys: [randomBytes(32).toString('hex')] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `${path}/interaction/${uid}` },
    findAccount: (_context, sub) => {
      const person = people.get(sub);
      return person && { accountId: sub, claims: async () => person };
    },
    loadExistingGrant: async ({ oidc }) => {
      const grant = new oidc.provider.Grant({
        accountId: oidc.session?.accountId,
        clientId: oidc.client?.clientId,
      });
      grant.addOIDCScope('openid profile email offline_access');
      await grant.save();
      return grant;
    },
  };
}

/** The sign-in page: a list of users, each a link. */
function addSignInPage(provider: Provider, { path, people }: Settings): void {
  provider.use(async (context, next) => {
    const [, uid, action, sub] =
      /^\/interaction\/([\w-]+)(?:\/(as|cancel)(?:\/([\w-]+))?)?$/.exec(context.path) ?? [];
    if (uid === undefined) {
      await next();
      return;
    }
    if (action === undefined) {
      context.type = 'html';
      context.body = eta.render(page, { people: [...people.values()], base: `${path}/interaction/${uid}` });
      return;
    }
    const result: InteractionResults =
      sub === undefined
        ? { error: 'access_denied', error_description: 'The user cancelled the sign-in' }
        : { login: { accountId: people.get(sub)?.sub ?? sub } };
    context.redirect(await provider.interactionResult(context.req, context.res, result));
  });
}

export function identityProviderApp(settings: Settings): Provider {
  const provider = new Provider(settings.issuer, configurationOf(settings));
  addSignInPage(provider, settings);
  return provider;
}
