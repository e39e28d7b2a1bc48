import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { User } from '../../users/user.entity.js';
import { TokenLimitsService } from '../../platform/rate-limit/token-limits.service.js';
import { OidcProvisioningService } from './oidc-provisioning.service.js';
import { IdentityProviderService } from './identity-provider.service.js';
import { SignInInterrupted } from './provider.errors.js';
import type { LoginQuery } from './dto/login-query.dto.js';
import { type AuthorizationRequest, SealedCookiesService } from './sealed-cookies.service.js';
import { LoginCodesService } from '../sessions/login-codes.service.js';
import { problem } from '../../core/problems/problem.js';

class InvalidRedirectUri extends problem(
  'invalid_return_address',
  'OIDC_RETURN_URLS does not include this URL.',
) {}

/** An allowed URL covers itself and the paths below it; origins must match exactly. */
const covers = (allowed: URL, url: URL): boolean => {
  const base = allowed.pathname.replace(/\/+$/, '');
  return allowed.origin === url.origin && (url.pathname === base || url.pathname.startsWith(`${base}/`));
};

/** Returns the validated redirect URI, or the first allowed one when absent. Throws InvalidRedirectUri. */
function validateRedirectUri(requested: string | undefined, allowed: readonly string[]): string {
  if (requested === undefined) return allowed[0] as string;
  const url = URL.canParse(requested) ? new URL(requested) : undefined;
  const isPlain = url !== undefined && url.username === '' && url.password === '' && url.hash === '';
  if (!isPlain || !allowed.some((one) => covers(new URL(one), url))) throw new InvalidRedirectUri();
  return url.href;
}

const random = (): string => randomBytes(32).toString('base64url');

@Injectable()
export class LoginService {
  constructor(
    private readonly provider: IdentityProviderService,
    private readonly cookies: SealedCookiesService,
    private readonly provisioning: OidcProvisioningService,
    private readonly codes: LoginCodesService,
    private readonly limits: TokenLimitsService,
  ) {}

  /** Returns the provider's URL and the sealed authorization request to store in a cookie. */
  async begin(query: LoginQuery, invitation?: string): Promise<{ url: URL; state: string; sealed: string }> {
    const attempt = {
      state: random(),
      nonce: random(),
      verifier: random(),
      returnTo: validateRedirectUri(query.return_to, this.provider.settings.returnUrls),
      codeChallenge: query.code_challenge,
      portalState: query.state,
      invitation,
    };
    const url = await this.provider.authorizationUrl(attempt);
    return { url, state: attempt.state, sealed: this.cookies.seal('login-attempt', attempt) };
  }

  /** Returns the portal's URL with the one-time code. Throws SignInRefused, SignInInterrupted, ProviderUnavailable. */
  async finish(query: string, sealed: string | undefined): Promise<URL> {
    const attempt = this.cookies.open('login-attempt', sealed);
    if (attempt === undefined) throw new SignInInterrupted();
    const code = await this.provisioning.audited('oidc', async () => {
      const tokens = await this.provider.finish(query, attempt);
      const arrival = { ...tokens, invitation: attempt.invitation };
      const createCode = (tx: EntityManager, user: User): Promise<string> =>
        this.codes.create(tx, user.id, attempt.codeChallenge);
      return this.limits.lookUp(() => this.provisioning.completeSignIn(arrival, createCode));
    });
    return redirectBack(attempt, code);
  }
}

function redirectBack({ returnTo, portalState }: AuthorizationRequest, code: string): URL {
  const url = new URL(returnTo);
  url.searchParams.set('code', code);
  if (portalState !== undefined) url.searchParams.set('state', portalState);
  return url;
}
