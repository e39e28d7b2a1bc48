import type { Type } from '@nestjs/common';
import type { Principal } from '../../core/http/principal.js';

export const IDEMPOTENT = 'idempotent';

/**
 * For routes whose rights depend on more than the access decorator. Throws if the caller is no longer allowed to call
 * the route.
 */
export interface ReplayCheck<Body extends object = object> {
  isStillAllowed(caller: Principal, body: Body, params: { id?: string }): Promise<void>;
}

/** Data of another server that the route needs: the transaction of the key must not wait for it. */
export interface Preparation {
  /** Also called before a replay, which does not need the data: never throws, and ends within seconds. */
  prepare(): Promise<void>;
}

export interface IdempotentOptions {
  /** Secret fields of the response, at any depth: sent once, never stored, omitted from a replay. */
  withhold?: readonly string[];
  /** Called before the transaction begins. */
  preparation?: Type<Preparation>;
  /** Called before a replay. */
  check?: Type<ReplayCheck>;
}
