import type { Type } from '@nestjs/common';
import type { Principal } from '../core/http/principal.js';

export const IDEMPOTENT = 'idempotent';

/** Where a route's rights depend on more than its access decorator: throws when the caller may no longer do it. */
export interface ReplayCheck<Body extends object = object> {
  isStillAllowed(caller: Principal, body: Body): Promise<void>;
}

export interface IdempotentOptions {
  /** Fields of the answer that are secrets: sent once, never stored, missing in a replay. */
  withhold?: readonly string[];
  /** Asked before a replay. */
  check?: Type<ReplayCheck>;
}
