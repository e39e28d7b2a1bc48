import type { Type } from '@nestjs/common';
import type { IssuedSession } from '../../sessions/issued-session.js';

/** One way to be let in by `POST /api/auth/token`: the body that asks for it, and what is done about it. */
export interface Grant<Body extends object = object> {
  /** Answers the session to make tokens of, or null where there is nothing to tell but the status. */
  handle(body: Body): Promise<IssuedSession | null>;
}

/** The handler names the `grant_type` (undefined: e-mail and password), its body and the status of success. */
export interface GrantType extends Type<Grant> {
  readonly grantType: string | undefined;
  readonly body: Type<object>;
  readonly status: number;
  /** Off with PASSWORD_SIGN_IN=false. */
  readonly usesPassword?: boolean;
}
