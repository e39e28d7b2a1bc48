import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock.js';
import { Sealer } from '../../core/crypto/sealer.js';

export const REQUEST_SECONDS = 600;

const PURPOSE = 'login-attempt';

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

/** Whether the value has the format of a `state` created here; it becomes part of a cookie name. */
export const isState = (text: string): boolean => /^[A-Za-z0-9_-]{43}$/.test(text);

const random = (): string => randomBytes(32).toString('base64url');

/** Authorization requests are stored sealed in the browser that starts them, so that no other browser can complete them. */
@Injectable()
export class AuthorizationRequestsService {
  constructor(
    private readonly sealer: Sealer,
    private readonly clock: Clock,
  ) {}

  create(purpose: Omit<AuthorizationRequest, 'state' | 'nonce' | 'verifier'>): AuthorizationRequest {
    return { ...purpose, state: random(), nonce: random(), verifier: random() };
  }

  seal(attempt: AuthorizationRequest): string {
    const text = JSON.stringify({ ...attempt, until: this.clock.in(REQUEST_SECONDS).getTime() });
    return this.sealer.seal(PURPOSE, text).toString('base64url');
  }

  open(sealed: string): AuthorizationRequest | undefined {
    const text = this.sealer.open(PURPOSE, Buffer.from(sealed, 'base64url'));
    if (text === undefined) return undefined;
    const { until, ...attempt } = JSON.parse(text) as AuthorizationRequest & { until: number };
    return until > this.clock.now().getTime() ? attempt : undefined;
  }
}
