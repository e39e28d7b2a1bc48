import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '../core/clock.js';
import { Sealer } from '../core/crypto/sealer.js';

export const ATTEMPT_SECONDS = 600;

const PURPOSE = 'login-attempt';

/** What must be remembered while somebody is away at the provider. */
export interface LoginAttempt {
  state: string;
  nonce: string;
  verifier: string;
  returnTo: string;
  codeChallenge: string;
  portalState?: string;
  invitation?: string;
}

/** Whether we can have made it: it becomes part of the name of a cookie. */
export const isState = (text: string): boolean => /^[A-Za-z0-9_-]{43}$/.test(text);

const random = (): string => randomBytes(32).toString('base64url');

/** Attempts live in the browser that makes them, sealed, so that nobody else can finish one. */
@Injectable()
export class LoginAttempts {
  constructor(
    private readonly sealer: Sealer,
    private readonly clock: Clock,
  ) {}

  begin(purpose: Omit<LoginAttempt, 'state' | 'nonce' | 'verifier'>): LoginAttempt {
    return { ...purpose, state: random(), nonce: random(), verifier: random() };
  }

  seal(attempt: LoginAttempt): string {
    const text = JSON.stringify({ ...attempt, until: this.clock.in(ATTEMPT_SECONDS).getTime() });
    return this.sealer.seal(PURPOSE, text).toString('base64url');
  }

  open(sealed: string): LoginAttempt | undefined {
    const text = this.sealer.open(PURPOSE, Buffer.from(sealed, 'base64url'));
    if (text === undefined) return undefined;
    const { until, ...attempt } = JSON.parse(text) as LoginAttempt & { until: number };
    return until > this.clock.now().getTime() ? attempt : undefined;
  }
}
