import type { Type } from '@nestjs/common';
import type { IssuedSession } from '../sessions/issued-session.js';

/** Handler of one grant type of `POST /api/auth/token`. */
export interface Grant<Body extends object = object> {
  /** Returns the session to issue tokens for, or null when the response has no body. */
  handle(body: Body): Promise<IssuedSession | null>;
}

/** Handler class with its `grant_type` (undefined: email and password), its body class and its success status (default: 200). */
export interface GrantType extends Type<Grant> {
  readonly grantType: string | undefined;
  readonly body: Type<object>;
  readonly status?: number;
  /** Disabled by PASSWORD_SIGN_IN=false. */
  readonly usesPassword?: boolean;
}
