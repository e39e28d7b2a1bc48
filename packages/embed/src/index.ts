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

/** Embed tokens for one person. Make it once: only what comes from the same one is shared. */
export const embedTokens = (service: ServiceOptions = {}): EmbedTokens => embedTokensIn(browser, service);
