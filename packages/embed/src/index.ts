import { embedTokensIn } from './embed-tokens.js';
import type { EmbedTokens, ServiceOptions } from './types.js';
import { browser } from './environment.js';

export { EmbedProblem, type EmbedProblemKind } from './problem.js';
export type {
  EmbedAccess,
  EmbedToken,
  EmbedTokens,
  KeepOptions,
  KeptToken,
  PowerBiReport,
  ServiceOptions,
} from './types.js';

/** Embed tokens for one user. Create it once: only subscriptions of the same instance share tokens. */
export const embedTokens = (service: ServiceOptions = {}): EmbedTokens => embedTokensIn(browser, service);
