import { Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock.js';
import { Sealer } from '../../core/crypto/sealer.js';

export const SEALED_SECONDS = 600;

/** State of a sign-in while the browser is at the identity provider. */
export interface AuthorizationRequest {
  state: string;
  nonce: string;
  verifier: string;
  returnTo: string;
  codeChallenge: string;
  portalState?: string;
  invitation?: string;
}

interface Values {
  /** Only the browser that starts a sign-in can complete it. */
  'login-attempt': AuthorizationRequest;
  /** Passes the secret of an invitation to `/login`; in a URL it would be logged. */
  'portal-invitation': { secret: string };
}

/** What the browser keeps between two requests of a sign-in. */
@Injectable()
export class SealedCookiesService {
  constructor(
    private readonly sealer: Sealer,
    private readonly clock: Clock,
  ) {}

  seal<P extends keyof Values>(purpose: P, value: Values[P]): string {
    const text = JSON.stringify({ ...value, until: this.clock.in(SEALED_SECONDS).getTime() });
    return this.sealer.seal(purpose, text).toString('base64url');
  }

  open<P extends keyof Values>(purpose: P, sealed = ''): Values[P] | undefined {
    const text = this.sealer.open(purpose, Buffer.from(sealed, 'base64url'));
    if (text === undefined) return undefined;
    const value = JSON.parse(text) as Values[P] & { until: number };
    return value.until > this.clock.now().getTime() ? value : undefined;
  }
}
